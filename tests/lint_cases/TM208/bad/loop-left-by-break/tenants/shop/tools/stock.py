def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    while True:
        if args["stop"]:
            break
        return {"row": 1}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
