from tm import ToolError

from .fails import fail


def stop(ctx, text):
    ctx["logger"].error(text)
    raise ToolError(text)


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    if args["total"] > 0:
        return {"percent": 5}
    if args["total"] == 0:
        fail("nothing to do")
    else:
        stop(ctx, "below zero")


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
