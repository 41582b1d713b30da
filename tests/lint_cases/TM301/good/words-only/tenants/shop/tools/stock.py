"""Writes no file: open(name, "w") is only a text."""


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    text = "open(1, 'w')"
    target = text.replace("w", "r")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
