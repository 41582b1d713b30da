def stock(results, args, ctx):
    ctx["logger"].info("starts")
    for place in args["places"]:
        found = ctx["http"].get("/stock/" + place).json()
        if found["stock"]:
            ctx["logger"].success("found", {"place": place})
            return found
    ctx["logger"].warning("nowhere")
    return {"stock": 0}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
