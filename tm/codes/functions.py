"""TM2xx: the Python functions of a tool."""

from __future__ import annotations

from typing import Final

from tm.codes.page import Page

PAGES: Final = (
    Page(
        code="TM201",
        name="wrong-signature",
        title="A function with the wrong parameters, or `async def`",
        language="python",
        what=(
            "The runner calls handler(results, args, ctx), preprocess(args, ctx) and "
            "postprocess(result, args, ctx), by position, and waits for the result."
        ),
        why=(
            "Other parameters fail at the first call; an `async def` gives a coroutine that "
            "nobody awaits."
        ),
        fix=(
            "Take exactly these parameters and use plain `def`. `tm lint --fix` puts them in place."
        ),
        bad="""
async def total(args, ctx):
    ctx["logger"].info("total starts")
    return {"total": args["net"] * 1.19}
""",
        good="""
def total(results, args, ctx):
    ctx["logger"].info("total starts")
    gross = args["net"] * 1.19
    ctx["logger"].success("total ends")
    return {"total": gross}
""",
    ),
    Page(
        code="TM202",
        name="silent-handler",
        title="A handler without a logger call at its start and end",
        language="python",
        what=(
            "A handler logs at least once at its start and once at its end, `error` where it fails."
        ),
        why=(
            "The execution log shows what happened inside a run only as far as the handler tells "
            "it."
        ),
        fix=(
            'Add ctx["logger"].info(...) as the first statement and .success(...) before each '
            "return."
        ),
        bad="""
def round_price(results, args, ctx):
    return {"price": round(args["price"], 2)}
""",
        good="""
def round_price(results, args, ctx):
    ctx["logger"].info("rounding starts", {"price": args["price"]})
    price = round(args["price"], 2)
    ctx["logger"].success("rounding ends")
    return {"price": price}
""",
    ),
    Page(
        code="TM203",
        name="postprocess-calls",
        title="A postprocess that calls a tool or an API",
        language="python",
        what=(
            'A postprocess shapes the result that is there: its ctx has neither ["tool"] nor '
            '["http"].'
        ),
        why=(
            "The call fails with a KeyError at run time. A step that only shapes data is also one "
            "that a dry run may always do."
        ),
        fix=("Move the call into a handler, which runs after postprocess and gets its result."),
        bad="""
def add_customer(result, args, ctx):
    result["customer"] = ctx["tool"]("getCustomer", {"id": result["customer_id"]})
    return result
""",
        good="""
def add_customer(results, args, ctx):
    ctx["logger"].info("customer is fetched")
    customer = ctx["tool"]("getCustomer", {"id": results["customer_id"]})
    ctx["logger"].success("customer is there")
    return {**results, "customer": customer}
""",
    ),
    Page(
        code="TM204",
        name="ctx-attribute",
        title='`ctx.x` instead of `ctx["x"]`',
        language="python",
        what=(
            "ctx is a plain dict. Its parts are keys, not attributes: ctx.logger does not exist."
        ),
        why=(
            "The line raises AttributeError when it is reached, which may be only in the case of "
            "an error."
        ),
        fix=(
            'Write ctx["logger"]. What you get from it has methods as usual. `tm lint --fix` '
            "rewrites the line."
        ),
        bad="""
def stock(results, args, ctx):
    ctx.logger.info("stock starts")
    return {"sku": args["sku"]}
""",
        good="""
def stock(results, args, ctx):
    ctx["logger"].info("stock starts")
    ctx["logger"].success("stock ends")
    return {"sku": args["sku"]}
""",
    ),
    Page(
        code="TM205",
        name="unknown-nested-tool",
        title='`ctx["tool"]` names no tool',
        language="python",
        what=(
            'The first argument of ctx["tool"](name, args) is no tool of this tenant and no '
            "shared one."
        ),
        why="The handler fails with TM502 when it gets there.",
        fix=(
            "Correct the name; the finding names the nearest one. Tools of other tenants can't be "
            "called."
        ),
        bad="""
def overview(results, args, ctx):
    ctx["logger"].info("overview starts")
    invoice = ctx["tool"]("getInvoyce", {"id": args["id"]})
    ctx["logger"].success("overview ends")
    return {"total": invoice["total"]}
""",
        good="""
def overview(results, args, ctx):
    ctx["logger"].info("overview starts")
    invoice = ctx["tool"]("getInvoice", {"id": args["id"]})
    ctx["logger"].success("overview ends")
    return {"total": invoice["total"]}
""",
    ),
    Page(
        code="TM206",
        name="unknown-ctx-key",
        title="A key that ctx does not have",
        language="python",
        what=(
            "ctx has tenant, chat_id, user_id, session, config, api_config, http, logger, tool "
            "and files_path, and nothing else."
        ),
        why="The line raises KeyError when it is reached.",
        fix=(
            'Correct the key. Data of your own belongs into ctx["session"], which lasts for the '
            "chat."
        ),
        bad="""
def greet(results, args, ctx):
    ctx["log"].info("greeting starts")
    return {"text": "Hello"}
""",
        good="""
def greet(results, args, ctx):
    ctx["logger"].info("greeting starts")
    ctx["logger"].success("greeting ends")
    return {"text": "Hello"}
""",
    ),
    Page(
        code="TM207",
        name="tool-circle",
        title="Tools that call each other in a circle",
        language="python",
        what='A tool reaches itself again through ctx["tool"]. The finding names the way.',
        why=(
            "Every run would go on until max_nested_calls stops it (TM510), after real API calls."
        ),
        fix=(
            "Let one of them get its data from the API, or put what both need into a helper "
            "function."
        ),
        bad="""
def bundle(results, args, ctx):
    ctx["logger"].info("bundle starts")
    item = ctx["tool"]("bundleItem", {"sku": args["sku"]})
    ctx["logger"].success("bundle ends")
    return {"items": [item]}


def bundle_item(results, args, ctx):
    ctx["logger"].info("item starts")
    parent = ctx["tool"]("bundle", {"sku": args["sku"]})
    ctx["logger"].success("item ends")
    return {"parent": parent}
""",
        good="""
def bundle(results, args, ctx):
    ctx["logger"].info("bundle starts")
    item = ctx["tool"]("bundleItem", {"sku": args["sku"]})
    ctx["logger"].success("bundle ends")
    return {"items": [item]}


def bundle_item(results, args, ctx):
    ctx["logger"].info("item starts")
    item = ctx["http"].get("/items/" + args["sku"]).json()
    ctx["logger"].success("item ends")
    return {"name": item["name"]}
""",
    ),
    Page(
        code="TM208",
        name="missing-return",
        title="A way through the function that returns nothing",
        language="python",
        what=(
            "On the way that the finding describes, the function ends without `return`, so its "
            "result is null."
        ),
        why="The model gets null and makes something up, and no error shows why.",
        fix=(
            "Return a result on every way, or raise ToolError where there is none. `return None` "
            "says that null is meant."
        ),
        bad="""
def discount(results, args, ctx):
    ctx["logger"].info("discount starts")
    if args["total"] > 500:
        ctx["logger"].success("discount ends")
        return {"percent": 5}
    ctx["logger"].success("no discount")
""",
        good="""
def discount(results, args, ctx):
    ctx["logger"].info("discount starts")
    percent = 5 if args["total"] > 500 else 0
    ctx["logger"].success("discount ends")
    return {"percent": percent}
""",
    ),
)
