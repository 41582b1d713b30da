"""A model drives the tools: the loop of SPEC section 8 over the OpenAI chat completions protocol.

What lives here: what is sent to a model's server, what really comes back, and what follows. What
must not: terminals, and how a tool runs (the runner does).
"""
