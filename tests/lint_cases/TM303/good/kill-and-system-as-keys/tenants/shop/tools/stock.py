SYSTEM = {"kill": 1, "run": 2}


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    found = SYSTEM["run"]
    exit_code = args.get("exit")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
