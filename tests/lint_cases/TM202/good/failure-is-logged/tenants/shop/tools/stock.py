from tm import ToolError


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    try:
        found = ctx["http"].get("/stock").json()
    except ToolError as error:
        ctx["logger"].error("failed", {"why": error.message})
        raise
    except (KeyError, ValueError):
        ctx["logger"].error("odd answer")
        return {"stock": 0}
    else:
        ctx["logger"].success("done")
        return found


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
