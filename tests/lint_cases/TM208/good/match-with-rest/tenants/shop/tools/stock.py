def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    match args["kind"]:
        case "a" | "b":
            return {"kind": 1}
        case {"name": str(name)}:
            return {"kind": name}
        case other:
            return {"kind": other}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
