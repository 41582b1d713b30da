def stock(results, args, ctx):
    ctx["logger"].info("starts")
    rows, page = [], 1
    while True:
        answer = ctx["http"].get("/stock", params={"page": page}).json()
        rows += answer["rows"]
        if not answer["more"]:
            break
        page += 1
    ctx["logger"].success("done")
    return {"rows": rows}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
