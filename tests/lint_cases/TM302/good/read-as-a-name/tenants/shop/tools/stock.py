def read(row):
    return row["open"]


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = read({"open": 4})
    ctx["tool"]("readFile", {"path": "prices.txt"})
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
