def stock(results, args, ctx):
    ctx["logger"].info("starts")
    name = ctx.shop_name
    ctx["logger"].success("done")
    return {"name": name}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
