def handle(results, args, ctx):
    ctx["logger"].info("handle starts")
    found = ctx["tool"]("getBin", {})
    ctx["logger"].success("handle ends")
    return found
