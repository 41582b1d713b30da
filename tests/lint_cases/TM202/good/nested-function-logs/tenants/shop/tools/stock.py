def stock(results, args, ctx):
    def note(text, **more):
        ctx["logger"].info(text, more)

    note("starts")
    rows = [row for row in args["rows"] if row]
    note("done", rows=len(rows))
    return {"rows": rows}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
