from .customers import customer


def prepare(args, ctx):
    return args


def shape(result, args, ctx):
    who = customer(ctx, result["customer"])
    return {**result, "customer": who}
