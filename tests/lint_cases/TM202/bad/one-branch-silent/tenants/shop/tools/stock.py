def stock(results, args, ctx):
    ctx["logger"].info("starts")
    if args.get("sku"):
        found = ctx["http"].get("/stock").json()
        ctx["logger"].success("found")
    else:
        found = ctx["http"].get("/all").json()
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
