def stock(results, args, ctx):
    ctx["logger"].info("starts")
    for row in args["rows"]:
        ctx["logger"].debug("row", {"row": row})
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
