def stock(results, args, context):
    context["logger"].info("starts")
    note(context)
    found = [context.tool("stock2", {"row": row}) for row in args["rows"]]
    context["logger"].success("done")
    return {"found": found}


def note(c):
    same = c
    same.logger.info("note")


def stock2(results, args, ctx):
    ctx["logger"].info(f"starts {ctx.user_id}")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
    "stock2": {"description": "A step of the shop.", "handler": stock2, "args_fixture": {}},
}
