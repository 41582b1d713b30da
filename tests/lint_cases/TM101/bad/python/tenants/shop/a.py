tools = {
    "getOrder": {
        "type": "function",
        "function": {"name": "getOrder", "description": "Fetch."},
    }
}
