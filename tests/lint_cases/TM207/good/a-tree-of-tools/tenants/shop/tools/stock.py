def top(results, args, ctx):
    ctx["logger"].info("starts")
    found = [ctx["tool"](name, {}) for name in ("left", "right")]
    ctx["logger"].success("done")
    return {"found": found}


def left(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["tool"]("leaf", {})
    ctx["logger"].success("done")
    return found


def right(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["tool"]("leaf", {})
    ctx["logger"].success("done")
    return found


def leaf(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"leaf": True}


tools = {
    "top": {"description": "A step of the shop.", "handler": top, "args_fixture": {}},
    "left": {"description": "A step of the shop.", "handler": left, "args_fixture": {}},
    "right": {"description": "A step of the shop.", "handler": right, "args_fixture": {}},
    "leaf": {"description": "A step of the shop.", "handler": leaf, "args_fixture": {}},
}
