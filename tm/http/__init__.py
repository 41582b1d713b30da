"""HTTP: one stack of transports for the request step and `ctx["http"]`.

What lives here: URLs, bodies, auth, retries, redirects, limits, dry run, cassettes, paging. What
must not: tools, mapping, tenants' files but cassettes and CA files. Only `network` imports httpx.
"""
