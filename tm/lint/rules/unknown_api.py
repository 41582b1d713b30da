"""TM106: a tool uses an api that nobody declares."""

from __future__ import annotations

from collections.abc import Iterator

from tm.errors import did_you_mean
from tm.lint.rule import Hit, Rule, Subject
from tm.model import SHARED


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit where the tool's api is not declared by the tenant (or by `_shared`, for its)."""
    tool, home = subject.tool, subject.home
    assert tool is not None  # noqa: S101  the rule's scope
    name = tool.values.get("api")
    if not isinstance(name, str) or home.code == SHARED:
        return  # which apis a shared tool has is known in the tenants that use it
    known = home.names("apis")
    if name in known:
        return
    if tool.extended and tool.extended.origins["api"].home == SHARED and home.shared:
        known = {**known, **home.shared.names("apis")}
    if name not in known and not home.may_declare(name):
        near = did_you_mean(name, sorted(known))
        yield Hit(tool.locate("api"), f"api {name!r} is not declared by {home.code}{near}")


RULE = Rule("TM106", "tool", check)
