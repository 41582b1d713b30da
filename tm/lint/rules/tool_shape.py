"""TM101, TM102, TM105, TM108, TM111, TM115: what a tool has to have, and what it is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tm.config.shape import check_nesting, check_request
from tm.errors import ConfigError
from tm.lint.rule import Hit, Rule, Subject, hit_of
from tm.lint.subjects import LintTool

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check(subject: Subject) -> Iterator[Hit]:
    """Yield what is wrong with the tool as a whole."""
    tool = subject.tool
    assert tool is not None  # noqa: S101  the rule's scope
    yield from _name(tool)
    try:
        check_nesting(tool.own)
    except ConfigError as error:
        hit = hit_of(error)
        yield Hit(hit.at, hit.message, hit.help, code=error.code, fixable=error.code == "TM101")
        return
    if tool.extends_error is not None:
        yield from _extends(subject, tool, tool.extends_error)
        return
    yield from _description(tool)
    yield from _request(tool)


def _name(tool: LintTool) -> Iterator[Hit]:
    """Yield a hit where model providers refuse the name."""
    if _NAME.fullmatch(tool.name):
        return
    long = f"; it has {len(tool.name)} characters" if len(tool.name) > 64 else ""
    yield Hit(
        tool.own.at,
        f"model providers refuse the name {tool.name!r:.80}{long}",
        "letters, digits, _ and -, at most 64 of them",
        code="TM115",
    )


def _extends(subject: Subject, tool: LintTool, error: ConfigError) -> Iterator[Hit]:
    """Yield why `extends` fails; what is wrong with a base is told there, if it is looked at."""
    at = tool.own.locate("extends")
    is_its_own = error.at == at or error.message.endswith(f"-> {tool.name}")
    circle = "in a circle" in error.message
    hit = hit_of(error, "take one extends out" if circle else "name a tool of tenants/_shared")
    if is_its_own and error.code == "TM111":
        yield Hit(hit.at, hit.message, hit.help, code="TM111")
    elif not is_its_own and subject.workspace.shared not in subject.workspace.homes:
        what = f"the base of tool '{tool.name}' can't be used: {error}"
        yield Hit(at, what, "mend the base", code="TM111")


def _description(tool: LintTool) -> Iterator[Hit]:
    text = tool.values.get("description")
    if text is None and "description" in tool.misspelt:
        return
    if text is None or (isinstance(text, str) and not text.strip()):
        own = tool.is_own("description")
        at = tool.locate("description") if own else tool.own.at
        what = "is empty" if own else "is missing"
        yield Hit(
            at,
            f"the description of tool '{tool.name}' {what}",
            "say what comes back and when to use it: that is all a model knows of it",
            code="TM102",
        )


def _request(tool: LintTool) -> Iterator[Hit]:
    """Yield what is missing for a run, or an unknown method."""
    assert tool.extended is not None  # noqa: S101  looked at before
    method_kept = tool.is_own("method") or not isinstance(tool.values.get("method"), str)
    missing = {"api", "handler", "method", "path"} - tool.values.keys()
    for error in check_request(tool.extended):
        if error.at == tool.own.at and missing & tool.misspelt:
            continue
        if error.at == tool.own.at or method_kept:
            hit = hit_of(error)
            yield Hit(hit.at, hit.message, hit.help, code=error.code)


RULE = Rule("TM101", "tool", check, ("TM101", "TM102", "TM105", "TM108", "TM111", "TM115"))
