TOKEN_FIELD = "access_token"
KEY = "customer_orders_by_year_2026"


def pick(args):
    password = "password"
    return {"token": args.get("token", "none"), "key": TOKEN_FIELD, password: KEY}
