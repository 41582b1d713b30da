from .money import RATE, ronded as rounded
from .mony import Amount

def tax(results, args, ctx):
    ctx["logger"].info("start", {})
    value = rounded(args["net"] * RATE)
    ctx["logger"].success("end", {})
    return {"tax": value}
