"""A tool without an API: its handler is all there is."""

from decimal import ROUND_HALF_UP, Decimal

from tm import Ctx

CENT = Decimal("0.01")
RATES = {"standard": Decimal("0.20"), "reduced": Decimal("0.10")}


def calculate(results: dict, args: dict, ctx: Ctx) -> dict:
    """Return net, tax and gross, rounded half up to the cent as on an invoice."""
    log = ctx["logger"]
    log.info("calculating tax", {"net": args["net"], "rate": args["rate"]})
    # Through text: Decimal(49.9) would keep the float's binary tail.
    net = Decimal(str(args["net"])).quantize(CENT, ROUND_HALF_UP)
    tax = (net * RATES[args["rate"]]).quantize(CENT, ROUND_HALF_UP)
    log.success("tax calculated", {"tax": str(tax)})
    return {"net": net, "tax": tax, "gross": net + tax}


tools = {
    "calculateTax": {
        "description": (
            "Calculate the value added tax on a net amount in euros and the gross amount. Use it "
            "for offers; the amounts of an existing invoice come from getInvoice."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "net": {
                    "type": "number",
                    "minimum": 0,
                    "description": "Net amount in euros, for example 49.9.",
                },
                "rate": {
                    "type": "string",
                    "enum": ["standard", "reduced"],
                    "default": "standard",
                    "description": "standard is 20 %, reduced (food, such as tea) is 10 %.",
                },
            },
            "required": ["net"],
        },
        "handler": calculate,
        "args_fixture": {"net": 49.9},
        "fixtures": [
            {
                "name": "reduced-rate",
                "args": {"net": 8.2, "rate": "reduced"},
                "expect": {"net": 8.2, "tax": 0.82, "gross": 9.02},
            },
            {"name": "rate-that-is-none", "args": {"net": 1, "rate": "zero"}, "error": "TM501"},
        ],
    },
}
