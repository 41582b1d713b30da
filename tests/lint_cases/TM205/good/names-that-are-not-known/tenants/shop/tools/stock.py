import json


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    names = json.loads(args["names"])
    found = [ctx["tool"](name, {}) for name in names]
    for key in {"a": 1}.keys():
        found.append(ctx["tool"](f"get{key:>4}", {}))
    for row in args.get("rows", []):
        found.append(ctx["tool"](row["tool"] % 4, {}))
    name = ""
    if args["kind"] == "stock":
        name = "getStock"
    found.append(ctx["tool"](name, {}))
    found.append(ctx["http"].get("/names").json().get("a"))
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
