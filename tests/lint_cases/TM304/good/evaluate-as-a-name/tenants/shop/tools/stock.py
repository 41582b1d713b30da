def evaluate(text):
    return {"a": 1}.get(text)


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    value = evaluate("eval(1)")
    compiled = {"exec": False}
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
