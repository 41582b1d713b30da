def stock(results, args, ctx):
    sku = args.get("sku")
    if not sku:
        ctx["logger"].warning("no article number")
        return {"stock": 0}
    ctx["logger"].info("starts", {"sku": sku})
    found = ctx["http"].get("/stock/" + sku).json()
    ctx["logger"].success("done")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
