def stock(results, args, ctx):
    ctx["logger"].info("starts")
    frame = (row for row in args).gi_frame
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
