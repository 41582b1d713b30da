settings = {
    "vars": {"numbers": list(range(4))},
}
