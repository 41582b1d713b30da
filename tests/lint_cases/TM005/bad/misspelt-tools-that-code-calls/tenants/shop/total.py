def total(results, args, ctx):
    ctx["logger"].info("start", {})
    stock = ctx["tool"]("getStock", {})
    ctx["logger"].success("end", {})
    return stock
