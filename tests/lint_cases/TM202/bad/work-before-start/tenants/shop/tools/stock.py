def stock(results, args, ctx):
    found = ctx["http"].get("/stock").json()
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
