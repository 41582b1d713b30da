RATES = {"EUR": 1, "USD": 1.1}
NAMES = tuple(sorted(("b", "a")))


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    rate = RATES["EUR"]
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
