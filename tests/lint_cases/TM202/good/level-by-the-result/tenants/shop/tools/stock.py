def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = ctx["http"].get("/stock").json()
    say = ctx["logger"].success if found["ok"] else ctx["logger"].warning
    say("done")
    return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
