def stock(results, args, ctx):
    ctx["logger"].info("starts")
    total = sum(args["parts"])
    return {"stock": total}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
