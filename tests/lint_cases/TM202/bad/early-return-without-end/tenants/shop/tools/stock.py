def stock(results, args, ctx):
    ctx["logger"].info("starts")
    if not args.get("sku"):
        return {"stock": 0}
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
