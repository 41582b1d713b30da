def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["http"].get("/stock").json()
    if found["stock"] > 10:
        ctx["logger"].success("plenty")
        return {"stock": 10}
    elif found["stock"] == 0:
        ctx["logger"].warning("none")
    else:
        ctx["logger"].success("some")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
