def stock(results, args, ctx):
    ctx["logger"].info("starts")
    match args["kind"]:
        case "a":
            ctx["logger"].success("a")
            return {"stock": 1}
        case _:
            return {"stock": 0}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
