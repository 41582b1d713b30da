def prepare(results, args, ctx):
    return args


def shape(result, args):
    return result
