def bundle(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["tool"]("item", {})
    ctx["logger"].success("done")
    return found


def item(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["tool"]("bundle", {})
    ctx["logger"].success("done")
    return found


tools = {
    "bundle": {"description": "A step of the shop.", "handler": bundle, "args_fixture": {}},
    "item": {"description": "A step of the shop.", "handler": item, "args_fixture": {}},
}
