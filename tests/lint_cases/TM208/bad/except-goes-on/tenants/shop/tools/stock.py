def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    try:
        return {"percent": int(args["percent"])}
    except ValueError:
        percent = 0


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
