def stock(results, args, ctx):
    log, tool = ctx["logger"], ctx["tool"]
    log.info("starts")
    found = tool("other", {})
    log.success("done")
    return found


def other(results, args, ctx):
    say = ctx["logger"].info
    say("starts")
    say("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
    "other": {"description": "A step of the shop.", "handler": other, "args_fixture": {}},
}
