apis = {
    "erp": {"base_url" "https://erp.example.com"},
    "wms" = 1,
}
