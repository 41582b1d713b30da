def stock(results, args, ctx):
    ctx["logger"].info("starts")
    ctx["logger"].success("done")
    try:
        value = int(args["percent"])
    except ValueError:
        return {"percent": 0}
    else:
        return {"percent": value}
    finally:
        ctx["logger"].debug("tried")


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
