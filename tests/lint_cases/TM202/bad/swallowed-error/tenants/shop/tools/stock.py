def stock(results, args, ctx):
    ctx["logger"].info("starts")
    try:
        found = ctx["http"].get("/stock").json()
    except ValueError:
        return {"stock": 0}
    ctx["logger"].success("done")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
