TABLE = {"a": "getStock", "b": "getStokc"}


def ask(ctx, name="getStocks", *, again="getStockk"):
    from .names import LAST

    ctx["tool"](again, {})
    ctx["tool"](LAST, {})
    return ctx["tool"](name, {})


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    tool = (ctx or {})["tool"]
    found = [ask(ctx)]
    for key, name in TABLE.items():
        found.append(tool(name, {"key": key}))
    for number, name in enumerate(["getStok"]):
        found.append(tool(name, {"number": number}))
    found += [tool(name, {}) for name in sorted(TABLE.values())]
    found.append(tool(TABLE.get("b", "getSstock"), {}))
    found.append(tool(TABLE["b"] if args else "getStock", {}))
    first, second = "getStock", "gettStock"
    found += [tool(first, {}), tool(second, {})]
    more = {**ctx, "extra": 1}
    found.append(more["tool"]("getStoock", {}))
    found.append(ctx.copy()["tool"]("getStoock", {}))
    found.append((ctx | {"a": 1})["tool"]("getStoock", {}))
    found.append(dict(ctx)["tool"]("getStoock", {}))
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
