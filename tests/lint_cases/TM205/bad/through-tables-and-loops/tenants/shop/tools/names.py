LAST = "getStock"
