def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["tool"]("getStok", {})
    ctx["logger"].success("done")
    return found


def get_stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
    "getStock": {"description": "A step of the shop.", "handler": get_stock, "args_fixture": {}},
}
