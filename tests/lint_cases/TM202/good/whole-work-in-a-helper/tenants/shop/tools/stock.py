def stock(results, args, ctx):
    return _stock(args, ctx)


def _stock(args, ctx):
    ctx["logger"].info("starts")
    found = ctx["http"].get("/stock").json()
    ctx["logger"].success("done")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
