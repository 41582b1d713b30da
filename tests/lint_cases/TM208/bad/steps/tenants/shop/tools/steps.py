def prepare(args, ctx):
    args["number"] = args["number"].upper()


def shape(result, args, ctx):
    if result:
        return result
