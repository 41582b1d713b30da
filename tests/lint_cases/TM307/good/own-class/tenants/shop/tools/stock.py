class Basket:
    """Rows and their sum."""

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    basket = Basket([1, 2])
    count = len(basket)
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
