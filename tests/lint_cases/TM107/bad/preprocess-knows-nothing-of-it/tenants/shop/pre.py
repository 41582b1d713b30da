def pre(args, ctx):
    return {**args, "page": 2}
