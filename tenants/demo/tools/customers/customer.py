"""The steps of the customer tools before and after the request."""

from tm import ToolError

from ..tryton import condition


def by_code(args, ctx):
    """Search by the customer code."""
    return {**args, "_query": {"d": condition(["code", "=", args["code"]])}}


def by_customer(args, ctx):
    """Search the posted invoices of one customer, oldest first."""
    clauses = condition(["party.code", "=", args["code"]], ["state", "=", "posted"])
    return {**args, "_query": {"d": clauses, "o": condition(["number", "ASC"])}}


def found(result, args, ctx):
    """No hit is an error that a model understands."""
    if result["id"] is None:
        raise ToolError(f"there is no customer {args['code']}; listCustomers shows all codes")
    return result


def with_address(args, ctx):
    """Nest the address as Tryton wants new records: a list of actions."""
    address = {key: args[key] for key in ("street", "postal_code", "city") if key in args}
    return {"name": args["name"], "addresses": [["create", [address]]]}
