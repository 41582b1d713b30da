apis = {"erp": {"base_url": "https://erp.example.com"}}
tools = {
    "getOrder": {
        "description": "Fetch an order.",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "str", "description": "A."},
            },
        },
        "api": "erp",
        "method": "GET",
        "path": "/orders",
        "args_fixture": {},
    }
}
