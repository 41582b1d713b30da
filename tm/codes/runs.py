"""TM500 to TM503, TM509 to TM512: errors of a call and of a run's steps."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM500",
        name="bad-call",
        title="The call or the workspace is wrong",
        language="shell",
        what=(
            "A flag, a number or a file on the command line can't be used, or the workspace "
            "itself (its root, its log) can't be read. The message says which. Exit code 2."
        ),
        why="tm rather stops than guesses what was meant.",
        fix=(
            "Correct the call; `tm COMMAND --help` shows examples. `tm doctor` shows what is set "
            "up."
        ),
        bad="""
tm log show 99999 -t shop
""",
        good="""
tm log --tool getOrder -t shop
""",
    ),
    Page(
        code="TM501",
        name="invalid-arguments",
        title="The arguments are not what the tool takes",
        language="shell",
        what=(
            "The arguments break the tool's `parameters` (exit code 1), or can't be read as a "
            "JSON object at all (exit code 2). Every failure is listed with the path of the "
            "argument."
        ),
        why=(
            "Nothing is coerced and nothing unknown is passed on: a guess would reach the API. A "
            "value for the path that is empty, `..` or holds control characters is refused too."
        ),
        fix=(
            "Correct the arguments. `tm show NAME` lists the parameters; --arg types values by "
            "the schema."
        ),
        bad="""
tm test-tool getOrder --args '{"nummer": 7001}'
""",
        good="""
tm test-tool getOrder --arg number=7001
""",
    ),
    Page(
        code="TM502",
        name="unknown-tool",
        title="There is no tool of this name",
        language="shell",
        what=(
            "The tenant has no such tool and neither has tenants/_shared, or the assistant does "
            "not list it. The message names the nearest ones."
        ),
        why="Tools of other tenants are never used in its place.",
        fix=(
            "Correct the name or the tenant. If the tool's file is broken, `tm lint` shows why it "
            "is missing."
        ),
        bad="""
tm test-tool getOrdr -t shop
""",
        good="""
tm list -t shop
tm test-tool getOrder -t shop
""",
    ),
    Page(
        code="TM503",
        name="missing-variable",
        title="A variable ${NAME} is not set",
        language="shell",
        what=(
            "An api, a provider or a constant needs a variable that is neither in the "
            "environment, nor in the tenant's .env, nor in the root's. The message names it and "
            "the place that needs it."
        ),
        why="The text ${NAME} itself must never be sent to a server.",
        fix=("Set it, or write it into tenants/CODE/.env. A replay and a stubbed write need none."),
        bad="""
tm test-tool getOrder -t shop
""",
        good="""
echo 'ERP_TOKEN="..."' >> tenants/shop/.env
tm test-tool getOrder -t shop
""",
    ),
    Page(
        code="TM509",
        name="function-raised",
        title="A tenant's function raised an exception",
        language="python",
        what=(
            "A preprocess, postprocess or handler failed. The message has the file, the line, the "
            "source line and the exception."
        ),
        why="The run ends there. Another tool that called this one may catch ToolError.",
        fix=(
            "Mend the line. For failures that can be foreseen raise ToolError with a sentence "
            "that the model can act on."
        ),
        bad="""
def share(results, args, ctx):
    ctx["logger"].info("share starts")
    percent = args["part"] / args["whole"] * 100
    ctx["logger"].success("share ends")
    return {"percent": percent}
""",
        good="""
from tm import ToolError


def share(results, args, ctx):
    ctx["logger"].info("share starts")
    if args["whole"] == 0:
        ctx["logger"].error("whole is 0")
        raise ToolError("whole must not be 0; ask the user for the total")
    ctx["logger"].success("share ends")
    return {"percent": args["part"] / args["whole"] * 100}
""",
    ),
    Page(
        code="TM510",
        name="too-many-nested-calls",
        title="Too many nested tool calls",
        language="python",
        what=(
            'Below one top-level call ctx["tool"] was used more than max_nested_calls times (10 '
            "by default), however the calls are nested."
        ),
        why="A loop over a long list, or a circle, would call an API without end.",
        fix="Use a tool that takes the whole list, or raise max_nested_calls (at most 100).",
        bad="""
def names(results, args, ctx):
    ctx["logger"].info("names start")
    found = [ctx["tool"]("getCustomer", {"id": number}) for number in args["ids"]]
    ctx["logger"].success("names end")
    return {"names": [customer["name"] for customer in found]}
""",
        good="""
def names(results, args, ctx):
    ctx["logger"].info("names start")
    found = ctx["tool"]("getCustomers", {"ids": args["ids"]})
    ctx["logger"].success("names end")
    return {"names": [customer["name"] for customer in found["customers"]]}
""",
    ),
    Page(
        code="TM511",
        name="forbidden-at-run-time",
        title="A function tried something forbidden",
        language="python",
        what=(
            "While a tenant's function ran or its file was loaded, it opened a file, a process, a "
            "connection or another module, changed what all tools share, or read the interpreter's "
            "own attributes, and the guard stopped it. That holds even if the function caught the "
            "refusal."
        ),
        why=(
            "The scan before the run is fooled by some code; the guard looks at what really "
            "happens."
        ),
        fix=(
            'Use ctx["http"] for the network and the shared tools for files. The message names '
            "what was tried."
        ),
        bad="""
def save(results, args, ctx):
    ctx["logger"].info("saving starts")
    args["writer"]("report.txt")
    ctx["logger"].success("saving ends")
    return {"saved": True}
""",
        good="""
def save(results, args, ctx):
    ctx["logger"].info("saving starts")
    ctx["tool"]("writeFile", {"path": "report.txt", "content": args["text"]})
    ctx["logger"].success("saving ends")
    return {"saved": True}
""",
    ),
    Page(
        code="TM512",
        name="result-not-json",
        title="The result is not JSON",
        language="python",
        what=(
            "A function returned something that has no form in JSON: a set, bytes, an object, a "
            "generator, NaN, Infinity. The message names the path. Dates, Decimal, UUID, Enum, "
            "tuples and dataclasses are turned into JSON."
        ),
        why="The model gets the result as JSON text.",
        fix="Return dicts, lists, texts, numbers, booleans and None.",
        bad="""
def tags(results, args, ctx):
    ctx["logger"].info("tags start")
    ctx["logger"].success("tags end")
    return {"tags": set(args["tags"])}
""",
        good="""
def tags(results, args, ctx):
    ctx["logger"].info("tags start")
    ctx["logger"].success("tags end")
    return {"tags": sorted(set(args["tags"]))}
""",
    ),
)
