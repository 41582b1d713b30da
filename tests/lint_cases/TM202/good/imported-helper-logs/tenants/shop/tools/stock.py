from .notes import ends, starts


def stock(results, args, ctx):
    starts(ctx)
    found = ctx["http"].get("/stock").json()
    ends(ctx, rows=len(found))
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
