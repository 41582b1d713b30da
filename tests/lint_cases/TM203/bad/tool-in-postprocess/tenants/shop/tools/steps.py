def prepare(args, ctx):
    return args


def shape(result, args, ctx):
    customer = ctx["tool"]("getOrder", {"number": "1"})
    return {**result, "customer": customer}
