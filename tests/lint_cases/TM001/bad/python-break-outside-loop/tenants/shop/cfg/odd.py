def helper(value):
    if value:
        break
    return value
