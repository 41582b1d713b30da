def cents(value):
    return int(round(value * 100))
