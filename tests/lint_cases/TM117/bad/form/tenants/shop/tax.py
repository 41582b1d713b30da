def add_tax(result, args, ctx):
    return {**result, "tax": 1}


def handle(results, args, ctx):
    ctx["logger"].info("handle starts")
    ctx["logger"].success("handle ends")
    return results
