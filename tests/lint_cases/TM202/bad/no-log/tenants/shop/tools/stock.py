def stock(results, args, ctx):
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
