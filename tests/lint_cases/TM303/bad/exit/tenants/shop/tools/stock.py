def stock(results, args, ctx):
    ctx["logger"].info("starts")
    raise SystemExit(1)
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
