tools = {
    "getOrder": {
        "description": "Fetch an order.",
        "api": "erp",
        "method": "GET",
        "path": "/orders",
        "args_fixture": {},
    }
}
