def stock(results, args, ctx, *, places=2, **more):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"stock": round(4.123, places)}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
