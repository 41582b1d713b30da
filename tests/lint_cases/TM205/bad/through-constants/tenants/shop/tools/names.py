ORDER_TOOL = "getOrderr"
