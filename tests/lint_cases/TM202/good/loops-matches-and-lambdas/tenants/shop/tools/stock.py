def stock(results, args, ctx):
    ctx["logger"].info("starts")
    rows = sorted(args["rows"], key=lambda row: row["sku"])
    for row in rows:
        if not row:
            continue
        if row == "end":
            break
        with args["lock"]:
            ctx["tool"]("stock2", {"row": row})
    match args["kind"]:
        case "a":
            ctx["logger"].success("a")
        case "b":
            ctx["logger"].success("b")
        case _:
            ctx["logger"].warning("other")
    return {"rows": rows}


def stock2(results, args, ctx):
    start = lambda text: ctx["logger"].info(text)  # noqa: E731
    note(*[ctx["logger"]])
    ctx["logger"].success("done")
    return {"stock": 4}


def note(log):
    log.info("starts")


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
    "stock2": {"description": "A step of the shop.", "handler": stock2, "args_fixture": {}},
}
