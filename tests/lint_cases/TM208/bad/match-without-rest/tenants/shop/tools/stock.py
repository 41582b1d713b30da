def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    match args["kind"]:
        case "a":
            return {"kind": 1}
        case "b" if args["total"]:
            return {"kind": 2}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
