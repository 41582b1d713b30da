def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["tool"]("stock", {})
    ctx["logger"].success("done")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
