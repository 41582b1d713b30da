import json
import re
from datetime import date, timedelta
from decimal import Decimal


def stock(results, args, ctx):
    ctx["logger"].info("starts")
    text = json.dumps({"day": str(date.today() + timedelta(days=1))})
    found = re.findall("a", text) + [str(Decimal("1.5"))]
    ctx["logger"].success("done")
    return {"stock": 4}


tools = {
    "stock": {"description": "A step of the shop.", "handler": stock, "args_fixture": {}},
}
