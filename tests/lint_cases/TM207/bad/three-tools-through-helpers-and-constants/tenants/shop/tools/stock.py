SECOND = "beta"


def alpha(results, args, ctx):
    ctx["logger"].info("starts")
    found = ask(ctx, SECOND)
    ctx["logger"].success("done")
    return found


def ask(ctx, name):
    return ctx["tool"](name, {})


def beta(results, args, ctx):
    ctx["logger"].info("starts")
    found = [ctx["tool"](name, {}) for name in ("gamma", "delta")]
    ctx["logger"].success("done")
    return {"found": found}


def gamma(results, args, ctx):
    ctx["logger"].info("starts")
    tool = ctx["tool"]
    found = tool("alpha", {})
    ctx["logger"].success("done")
    return found


def delta(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "alpha": {"description": "A step of the shop.", "handler": alpha, "args_fixture": {}},
    "beta": {"description": "A step of the shop.", "handler": beta, "args_fixture": {}},
    "gamma": {"description": "A step of the shop.", "handler": gamma, "args_fixture": {}},
    "delta": {"description": "A step of the shop.", "handler": delta, "args_fixture": {}},
}
