def stock(results, args, ctx):
    note(ctx, "starts")
    found = look_up(args, log=ctx["logger"])
    return found


def look_up(args, log):
    found = {"stock": len(args)}
    log.success("done")
    return found


def note(ctx, text):
    ctx["logger"].info(text)


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
