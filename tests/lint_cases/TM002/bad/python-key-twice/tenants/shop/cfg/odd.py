apis = {
    "erp": {
        "base_url": "https://erp.example.com",
        "base_url": "https://wms.example.com",
    },
}
