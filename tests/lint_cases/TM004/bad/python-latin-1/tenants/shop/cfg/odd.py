settings = {
    "vars": {"gate": "Tür 4"},
}
