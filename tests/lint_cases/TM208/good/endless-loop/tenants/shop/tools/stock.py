def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    page = 1
    while True:
        if page > args["pages"]:
            return {"page": page}
        page += 1


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
