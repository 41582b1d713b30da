def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    for row in args["rows"]:
        if not row:
            continue
        assert row
        break
    if not False:
        with args["lock"]:
            return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
