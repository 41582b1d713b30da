"""TM106 to TM108, TM112, TM113, TM116, TM117: what a tool sends, and the functions it names."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM106",
        name="unknown-api",
        title="A tool uses an api that its tenant does not declare",
        what=(
            "The name under `api` is not under `apis` in any file of the tenant. The finding "
            "names the nearest one. Shared tools see only the apis of tenants/_shared."
        ),
        why="The tool has no address to send its request to.",
        fix="Correct the name, or declare the api.",
        bad="""
apis:
  crm: {base_url: "https://crm.example.com/v2"}
tools:
  findDeal: {description: Find a deal., api: crm2, method: GET, path: /deals}
""",
        good="""
apis:
  crm: {base_url: "https://crm.example.com/v2"}
tools:
  findDeal: {description: Find a deal., api: crm, method: GET, path: /deals}
""",
    ),
    Page(
        code="TM107",
        name="path-parameter",
        title="`{name}` in the path is no required parameter",
        what="A name in braces in `path` is not under `properties`, or not in `required`.",
        why=(
            "Without its value the request would go to another route: /orders/ instead of "
            "/orders/7001. tm refuses such a call."
        ),
        fix="Declare the parameter and list it under `required`, or correct the name.",
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    parameters: {type: object, properties: {number: {type: string, description: Number.}}}
    api: erp
    method: GET
    path: /orders/{number}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    parameters:
      type: object
      properties: {number: {type: string, description: Number.}}
      required: [number]
    api: erp
    method: GET
    path: /orders/{number}
""",
    ),
    Page(
        code="TM108",
        name="incomplete-request",
        title="An api without method or path, or an unknown method",
        what=(
            "A tool with `api` needs `method` (GET, HEAD, POST, PUT, PATCH or DELETE) and `path`."
        ),
        why="tm does not guess: a missing method taken for GET would hide a write.",
        fix="Add what the finding names.",
        bad="""
tools:
  getOrder:
    description: Fetch the newest order.
    api: erp
    path: /orders/latest
""",
        good="""
tools:
  getOrder:
    description: Fetch the newest order.
    api: erp
    method: GET
    path: /orders/latest
""",
    ),
    Page(
        code="TM112",
        name="bad-mapping-path",
        title="A `mapping` path that does not parse",
        what=(
            "The right side of a mapping is neither a dot path nor a JMESPath expression. The "
            "finding names the position."
        ),
        why="The field could never be filled.",
        fix=(
            "Dots between keys, digits for list positions, `*` for every element; quote a key "
            "that has a dot or a dash of its own."
        ),
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    mapping: {name: "customer.[first"}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    mapping: {name: 'customer."first-name"'}
""",
    ),
    Page(
        code="TM113",
        name="unknown-argument",
        title="query, body or headers name no parameter",
        what=(
            "The right side of an entry is taken as the name of an argument, and no parameter has "
            "it."
        ),
        why="The field would never be sent. A constant that was meant is read as a name.",
        fix="Correct the name, or write {value: ...} for a constant.",
        bad="""
tools:
  getOrders:
    description: Fetch orders.
    api: erp
    method: GET
    path: /orders
    query: {lang: de}
""",
        good="""
tools:
  getOrders:
    description: Fetch orders.
    api: erp
    method: GET
    path: /orders
    query: {lang: {value: de}}
""",
    ),
    Page(
        code="TM116",
        name="get-with-body",
        title="A GET or HEAD with a body",
        what="The tool declares `body` for a method that has none.",
        why="Servers and proxies drop it or answer 400, and caches ignore it.",
        fix=(
            "Send the values as `query`, or use POST; a POST that only reads says read_only: true."
        ),
        bad="""
tools:
  findOrders:
    description: Find orders.
    parameters: {type: object, properties: {state: {type: string, description: State.}}}
    api: erp
    method: GET
    path: /orders
    body: {state: state}
""",
        good="""
tools:
  findOrders:
    description: Find orders.
    parameters: {type: object, properties: {state: {type: string, description: State.}}}
    api: erp
    method: GET
    path: /orders
    query: {state: state}
""",
    ),
    Page(
        code="TM117",
        name="function-not-found",
        title="FILE:FUNCTION is not there",
        what=(
            "The file named in preprocess, postprocess or handler does not exist, or has no "
            "top-level `def` of that name. FILE counts from the folder of the file that names it."
            " The same is said of `from .file import name` in a function's file."
        ),
        why="The tool can't be loaded.",
        fix="Correct the file or the function; the finding names the nearest ones.",
        bad="""
# tenants/shop/tools/tax.yaml, beside tax.py with `def add_tax(result, args, ctx)`
tools:
  getInvoice:
    description: Fetch an invoice.
    postprocess: tools/tax.py:addTax
""",
        good="""
tools:
  getInvoice:
    description: Fetch an invoice.
    postprocess: tax.py:add_tax
""",
    ),
)
