def stock(results, args, context):
    context.get("logger").info("starts")
    context["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
