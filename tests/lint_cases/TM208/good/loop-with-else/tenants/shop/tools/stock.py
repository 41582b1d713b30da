def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    for row in args["rows"]:
        if row:
            return {"row": row}
    else:
        return {"row": None}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
