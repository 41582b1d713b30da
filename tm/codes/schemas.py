"""TM103, TM104, TM109, TM114, TM118, TM119: the schema of a tool's arguments."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM103",
        name="bad-schema",
        title="`parameters` is no valid JSON Schema of an object",
        what=(
            "The schema breaks the rules of JSON Schema 2020-12 at the place named, its `type` is "
            "not `object`, a `$ref` leads nowhere, a `default` or a value of an `enum` does not "
            "fit the `type` beside it, or an `enum` is empty."
        ),
        why="Arguments could not be checked, and providers refuse the whole request.",
        fix=(
            "Correct the keyword that the finding names. Arguments always are an object: wrap a "
            "list in a property."
        ),
        bad="""
tools:
  getOrders:
    description: Fetch orders.
    parameters: {type: array, items: {type: text}}
""",
        good="""
tools:
  getOrders:
    description: Fetch orders.
    parameters:
      type: object
      properties:
        numbers: {type: array, items: {type: string}, description: Order numbers.}
""",
    ),
    Page(
        code="TM104",
        name="required-unknown",
        title="`required` names no property",
        what="A name in `required` does not stand under `properties`.",
        why=(
            "The tool is closed, so the argument is required and refused at once: no call can pass."
        ),
        fix="Correct the spelling, or declare the property.",
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    parameters:
      type: object
      properties: {number: {type: string, description: Order number.}}
      required: [nummer]
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    parameters:
      type: object
      properties: {number: {type: string, description: Order number.}}
      required: [number]
""",
    ),
    Page(
        code="TM109",
        name="fixture-breaks-schema",
        title="A fixture's args break the tool's own schema",
        what=(
            "`args_fixture`, or the args of a case under `fixtures`, do not pass `parameters`. "
            "Every failure is listed."
        ),
        why="`tm test-tool` and the smoke test in CI would fail before they reach the API.",
        fix=(
            "Change the arguments, or the schema if it is too strict. Nothing is coerced: a "
            "number in quotes is a text."
        ),
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    parameters: {type: object, properties: {number: {type: integer, description: Number.}}}
    args_fixture: {number: "7001"}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    parameters: {type: object, properties: {number: {type: integer, description: Number.}}}
    args_fixture: {number: 7001}
""",
    ),
    Page(
        code="TM114",
        name="parameter-without-description",
        title="A parameter without a description",
        severity="warning",
        what="A property under `parameters` has no `description`.",
        why=("The model guesses what belongs there: an id, a name or a number, in which form."),
        fix="Say what it is, in which form, with an example where the form matters.",
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    parameters: {type: object, properties: {number: {type: string}}}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    parameters:
      type: object
      properties: {number: {type: string, description: "Order number, such as SO-1001."}}
""",
    ),
    Page(
        code="TM118",
        name="provider-dialect",
        title="A schema feature that a provider refuses",
        what=(
            "An assistant that lists this tool uses a provider whose `dialect` (openai, "
            "openai-strict, anthropic, gemini) does not take this part of JSON Schema, this name, "
            "or so many tools."
        ),
        why="The provider answers 400 to every message of that assistant.",
        fix=("Say it in the simpler way that the finding proposes; all providers take that one."),
        bad="""
tools:
  findOrders:
    description: Find orders.
    parameters:
      type: object
      properties: {state: {type: [string, "null"], description: open or shipped.}}
""",
        good="""
tools:
  findOrders:
    description: Find orders.
    parameters:
      type: object
      properties: {state: {type: string, description: open or shipped; leave out for both.}}
""",
    ),
    Page(
        code="TM119",
        name="bad-pattern",
        title="A `pattern` that does not compile or can take forever",
        what=(
            "The regular expression is not one that Python reads, or it can try exponentially "
            "many ways to match, as `(a+)+` does."
        ),
        why="One argument of thirty characters could keep the process busy for hours.",
        fix=(
            "Write it without a repetition inside a repetition, anchor it with ^ and $, and add "
            "maxLength. Digits and letters need no nested groups."
        ),
        bad="""
tools:
  getOrder:
    description: Fetch an order.
    parameters:
      type: object
      properties: {number: {type: string, pattern: "^([A-Z]+)+$", description: Number.}}
""",
        good="""
tools:
  getOrder:
    description: Fetch an order.
    parameters:
      type: object
      properties: {number: {type: string, pattern: "^[A-Z]{1,20}$", description: Number.}}
""",
    ),
)
