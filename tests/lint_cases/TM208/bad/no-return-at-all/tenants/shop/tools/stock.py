def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    total = args["total"]


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
