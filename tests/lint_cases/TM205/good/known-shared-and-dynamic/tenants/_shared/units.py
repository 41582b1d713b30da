def convert(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"cm": 4}


tools = {
    "convertUnits": {"description": "A step of the shop.", "handler": convert, "args_fixture": {}},
}
