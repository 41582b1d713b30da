def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    if args["total"] > 500:
        return {"percent": 5}
    elif args["total"] > 100:
        return {"percent": 2}
    else:
        return {"percent": 0}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
