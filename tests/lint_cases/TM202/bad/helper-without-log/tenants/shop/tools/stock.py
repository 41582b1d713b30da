def stock(results, args, ctx):
    return look_up(args, ctx)


def look_up(args, ctx):
    return {"tenant": ctx["tenant"]}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
