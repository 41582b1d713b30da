def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    from contextlib import suppress

    with suppress(KeyError):
        return {"percent": args["percent"]}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
