"""A handler that combines an API's answer with the results of other tools."""

from ..tryton import amount


def customer_overview(results, args, ctx):
    """Return the customer with the last order and the turnover."""
    log, tool = ctx["logger"], ctx["tool"]
    numbers = results["invoices"] or []
    log.info("summing up a customer", {"code": args["code"], "invoices": len(numbers)})
    customer = tool("getCustomer", {"code": args["code"]})
    last = tool("getInvoice", {"id": numbers[-1]}) if numbers else None
    net = sum(amount(value) for value in results["net"] or [])
    turnover = tool("calculateTax", {"net": float(net)})
    log.success("customer summed up", {"gross": turnover["gross"]})
    return {
        "customer": customer["name"],
        "city": customer["address"]["city"],
        "invoices": numbers,
        "last_order": [line["text"] for line in last["lines"]] if last else [],
        "turnover": turnover,
    }
