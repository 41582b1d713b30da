def starts(ctx):
    ctx["logger"].info("starts")


def ends(ctx, **facts):
    ctx["logger"].success("done", facts)
