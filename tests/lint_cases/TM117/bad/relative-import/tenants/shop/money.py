from decimal import Decimal as Amount

RATE = Amount("0.2")


def rounded(value):
    return round(value, 2)
