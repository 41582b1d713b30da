def get(results, args, ctx):
    ctx["logger"].info("get starts")
    ctx["logger"].success("get ends")
    return {}
