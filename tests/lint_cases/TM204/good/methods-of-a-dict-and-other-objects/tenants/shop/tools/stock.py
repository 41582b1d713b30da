"""ctx.logger is a key."""

from decimal import getcontext


def rounded(value, ctx=None):
    ctx = ctx or getcontext()
    return round(value, ctx.prec)


def stock(results, args, ctx):
    # ctx.logger would be wrong
    ctx["logger"].info("ctx.logger starts")
    user = ctx.get("user_id")
    names = sorted(ctx.keys())
    log = ctx["logger"]
    log.debug("keys", {"names": names})
    text = ctx["http"].get("/stock").text
    ctx["logger"].success("done")
    return {"user": user, "text": text, "value": rounded(4.2)}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
