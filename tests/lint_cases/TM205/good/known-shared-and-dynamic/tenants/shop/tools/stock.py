NAMES = ("getStock", "convertUnits")


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = [ctx["tool"](name, {}) for name in NAMES]
    found.append(ctx["tool"](args["tool"], {}))
    name = "get"
    name += "Stock"
    found.append(ctx["tool"](name, {}))
    found.append(ctx["tool"]("readFile", {"path": "prices.txt"}))
    found.append(ctx["tool"](f"get{args['kind']}", {}))
    begun = "unknownTool"
    begun = args["tool"]
    found.append(ctx["tool"](begun, {}))
    ctx["logger"].success("done")
    return {"found": found}


def get_stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
    "getStock": {"description": "A step of the shop.", "handler": get_stock, "args_fixture": {}},
}
