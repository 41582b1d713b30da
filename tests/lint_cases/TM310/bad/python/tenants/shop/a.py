API_KEY = "hG7kQ2xL9mR4tY8wB3nZ6vC1"


def build(args):
    return {"Authorization": "Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0"}
