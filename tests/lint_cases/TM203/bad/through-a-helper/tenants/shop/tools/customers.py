def customer(ctx, number):
    return ctx["http"].get("/customers/" + number).json()
