apis = {"erp": {"base_url": "https://erp.example.com"}}
tools = {
    "getOrder": {
        "description": "Fetch an order.",
        "api": "erp",
        "method": "GET",
        "path": "/orders",
        "args_fixtures": {},
        "args_fixture": {},
    }
}
