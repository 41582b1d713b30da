import sqlite3


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    version = sqlite3.sqlite_version
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
