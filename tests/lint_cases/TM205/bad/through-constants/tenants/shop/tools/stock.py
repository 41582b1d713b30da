from .names import ORDER_TOOL

STOCK_TOOL = "getStok"
KIND = "Stok"
TOOLS = {"a": "getStock", "b": "getStocc"}


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = [
        ctx["tool"](STOCK_TOOL, {}),
        ctx["tool"](f"get{KIND}", {}),
        ctx["tool"](TOOLS[args["kind"]], {}),
        ctx["tool"]("get" + "Stokk", {}),
        ctx["tool"](name=ORDER_TOOL, args={}),
    ]
    for name in ("getStock", "getStick"):
        found.append(ctx["tool"](name, {}))
    call = ctx["tool"]
    call("gettStock")
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
