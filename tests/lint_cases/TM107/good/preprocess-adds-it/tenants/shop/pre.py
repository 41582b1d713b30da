def pre(args, ctx):
    return {**args, "number": args["id"].upper(), "lang": "de"}
