from urllib.parse import urljoin


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    link = urljoin("https://shop.example.com", "/a")
    answer = ctx["http"].get("/a")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
