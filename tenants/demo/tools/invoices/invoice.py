"""The steps of the invoice tools before and after the request."""

from tm import ToolError

from ..tryton import amount, condition, day


def by_number(args, ctx):
    """Search by the printed number: Tryton's own ids are shown to nobody."""
    return {**args, "_query": {"d": condition(["number", "=", args["id"]])}}


def readable(result, args, ctx):
    """Turn amounts and dates into plain ones; no hit is an error that a model understands."""
    if result["invoice"] is None:
        raise ToolError(f"there is no invoice {args['id']}; check the number with the customer")
    amounts = {key: amount(result[key]) for key in ("net", "tax", "total", "to_pay")}
    lines = [
        {**line, "price": amount(line["price"]), "amount": amount(line["amount"])}
        for line in result["lines"] or []
    ]
    ctx["logger"].info("invoice read", {"invoice": result["invoice"], "lines": len(lines)})
    return {**result, **amounts, "date": day(result["date"]), "lines": lines}
