def stock(results, args, ctx):
    def note(text):
        ctx["logger"].info(text)

    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
