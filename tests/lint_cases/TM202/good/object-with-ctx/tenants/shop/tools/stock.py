class Job:
    def __init__(self, ctx):
        self.log = ctx["logger"]

    def run(self):
        self.log.info("starts")
        self.log.success("done")
        return {"stock": 4}


def stock(results, args, ctx):
    return Job(ctx).run()


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
