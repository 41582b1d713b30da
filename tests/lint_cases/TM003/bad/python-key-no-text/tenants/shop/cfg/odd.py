settings = {"vars": {404: "not found"}}
