def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    if args["total"] < 0:
        return
    return {"percent": 5}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
