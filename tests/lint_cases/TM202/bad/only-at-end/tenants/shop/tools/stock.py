def stock(results, args, ctx):
    total = sum(args["parts"])
    ctx["logger"].success("done")
    return {"stock": total}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
