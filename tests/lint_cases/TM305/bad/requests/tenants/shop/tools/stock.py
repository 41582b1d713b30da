import requests


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    answer = requests.get("https://rates.example.com")
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
