"""How Tryton writes conditions, amounts and dates in its REST interface."""

import base64
import json
from datetime import date
from decimal import Decimal


def condition(*clauses: list) -> str:
    """Return the `d` parameter of a search: the clauses as JSON in base64url."""
    return base64.urlsafe_b64encode(json.dumps(clauses).encode()).decode()


def amount(value: dict | None) -> Decimal | None:
    """Return Tryton's {"__class__": "Decimal", "decimal": "9.90"} as a number."""
    return None if value is None else Decimal(value["decimal"])


def day(value: dict | None) -> date | None:
    """Return Tryton's {"__class__": "date", "year": ...} as a date."""
    return None if value is None else date(value["year"], value["month"], value["day"])
