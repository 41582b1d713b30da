def stock(results, args, ctx):
    ctx["logger"].info("starts")
    with open("orders.csv", "w") as target:
        target.write("a")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
