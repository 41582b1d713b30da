def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    def key(row):
        if row:
            return row["name"]

    rows = sorted(args["rows"], key=lambda row: row["name"])
    return {"rows": rows, "first": key(rows[0])}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
