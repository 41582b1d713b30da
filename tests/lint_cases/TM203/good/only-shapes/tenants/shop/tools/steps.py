def prepare(args, ctx):
    known = ctx["http"].get("/numbers").json()
    return {"number": known[0]}


def shape(result, args, ctx):
    ctx["logger"].debug("shape")
    if "http" in ctx:
        result["live"] = ctx["http"].get("/live").json()
    return {**result, "shop": ctx["config"]["settings"]["vars"]["shop"], "tool": args["number"]}
