"""TM101, TM102, TM105, TM110, TM111, TM115: what a tool has to have."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM101",
        name="openai-nesting",
        title="OpenAI's function-calling shape inside a tool",
        what=(
            "The tool is written as `type: function` with a `function:` mapping, as the OpenAI "
            "API takes it."
        ),
        why=(
            "tm builds that shape itself, for each provider its own; nested in a tool, "
            "description and parameters are not found."
        ),
        fix=(
            "Move description and parameters up to the tool and drop the rest; the tool's name is "
            "its key. `tm lint --fix` does it and keeps the comments."
        ),
        bad="""
tools:
  getOrder:
    type: function
    function:
      name: getOrder
      description: Fetch an order.
      parameters: {type: object, properties: {}}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    parameters: {type: object, properties: {}}
""",
    ),
    Page(
        code="TM102",
        name="no-description",
        title="A tool without a description",
        what="`description` is missing or empty.",
        why=(
            "It is all that a model knows of when to call the tool; without it the tool is called "
            "at the wrong moment or never."
        ),
        fix=("Write one to three sentences: what comes back, when to use it, what it does not do."),
        bad="""
tools:
  getOrder:
    api: erp
    method: GET
    path: /orders
""",
        good="""
tools:
  getOrder:
    description: Fetch the open orders of the shop, newest first.
    api: erp
    method: GET
    path: /orders
""",
    ),
    Page(
        code="TM105",
        name="does-nothing",
        title="A tool with neither api nor handler",
        what="The tool has a description, but nothing that it would do.",
        why="A call has no result to give.",
        fix=(
            "Name an api with method and path, or a handler, or `extends` a shared tool that has "
            "one."
        ),
        bad="""
tools:
  getOrder:
    description: Fetch an order.
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    api: erp
    method: GET
    path: /orders/latest
""",
    ),
    Page(
        code="TM110",
        name="no-fixture",
        title="A tool without args_fixture",
        severity="warning",
        what="There are no arguments with which `tm test-tool NAME` could run this tool.",
        why=(
            "Nobody finds out that it broke until a customer does: `tm test-tool --all` skips it."
        ),
        fix=(
            "Give arguments that are harmless on the API that the tests use. `args_fixture: {}` "
            "for a tool that needs none."
        ),
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    parameters: {type: object, properties: {number: {type: string, description: Number.}}}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    parameters: {type: object, properties: {number: {type: string, description: Number.}}}
    args_fixture: {number: "7001"}
""",
    ),
    Page(
        code="TM111",
        name="bad-extends",
        title="`extends` names no shared tool, or goes round in a circle",
        what=(
            "The name under `extends` is no tool of tenants/_shared, or the chain of bases comes "
            "back to where it began."
        ),
        why="The fields of the base are missing, so the tool can't be loaded.",
        fix=("Correct the name; only shared tools can be extended, not those of another tenant."),
        bad="""
tools:
  getCustomer:
    extends: fetchCustommer
""",
        good="""
tools:
  getCustomer:
    extends: fetchCustomer
""",
    ),
    Page(
        code="TM115",
        name="bad-name",
        title="A name that model providers reject",
        what="A tool's name may have letters, digits, `_` and `-`, at most 64 of them.",
        why=("One such name makes the provider refuse the whole request, with all other tools."),
        fix="Rename the tool; camelCase is usual.",
        bad="""
tools:
  get.order status:
    description: Fetch the state of an order.
""",
        good="""
tools:
  getOrderStatus:
    description: Fetch the state of an order.
""",
    ),
)
