def stock(results, args, ctx):
    ctx["logger"].info("starts")
    good = fetch(ctx, "getStock")
    bad = fetch(ctx, "getStok")
    ctx["logger"].success("done")
    return {"good": good, "bad": bad}


def fetch(ctx, name):
    return ctx["tool"](name, {})


def get_stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
    "getStock": {"description": "A step of the shop.", "handler": get_stock, "args_fixture": {}},
}
