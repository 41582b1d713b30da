from .money import RATE, Amount, rounded

def tax(results, args, ctx):
    ctx["logger"].info("start", {})
    value = rounded(args["net"] * RATE)
    ctx["logger"].success("end", {})
    return {"tax": value}
