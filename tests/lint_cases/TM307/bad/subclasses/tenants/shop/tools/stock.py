def stock(results, args, ctx):
    ctx["logger"].info("starts")
    names = ().__class__.__base__.__subclasses__()
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
