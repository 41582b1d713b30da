def stock(results, args, ctx):
    ctx["log"].info("starts")
    who = ctx["user"]
    what = ctx.get("sesion", {})
    ctx["logger"].success("done")
    return {"who": who, "what": what, "in": helper(ctx)}


def helper(context):
    return context["tennant"]


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
