def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].info("asks")
    found = ctx["http"].get("/stock").json()
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
