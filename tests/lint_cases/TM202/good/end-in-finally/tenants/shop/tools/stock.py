def stock(results, args, ctx):
    ctx["logger"].info("starts")
    try:
        return ctx["http"].get("/stock").json()
    finally:
        ctx["logger"].info("ends")


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
