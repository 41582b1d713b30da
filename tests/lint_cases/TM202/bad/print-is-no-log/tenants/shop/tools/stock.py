def stock(results, args, ctx):
    print("starts")
    found = {"stock": 4}
    print("done")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
