from tm import ToolError


def stock(results, args, ctx):
    if not args.get("sku"):
        raise ToolError("no article number")
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
