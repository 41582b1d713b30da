from socket import create_connection


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    line = create_connection(("example.com", 80))
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
