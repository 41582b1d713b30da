def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx.logger.debug("asks")
    who = ctx.tenant
    ctx["logger"].success("done")
    return {"who": who}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
