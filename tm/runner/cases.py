"""Which arguments a run gets, and the name of their case (SPEC, sections 3.1 and 6)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from tm.errors import UsageError, did_you_mean
from tm.model import Fixture, Json, Tool
from tm.records import record

DEFAULT_CASE: Final = "default"


@record
class Case:
    """Arguments with the name under which they are recorded and expected.

    Attributes:
        name: of the fixture; `default` for args_fixture; None for arguments given by hand.
        cassette: file name of the cassette, without its ending.
        fixture: what is expected; None where nothing is.
    """

    name: str | None
    args: Json
    cassette: str
    fixture: Fixture | None = None


def choose_case(tool: Tool, args: Mapping[str, Any] | None, name: str | None) -> Case:
    """Return the case to run: a named one, the given arguments, or the tool's own.

    A tool without args_fixture runs with no arguments; `validate` says what is missing.

    Args:
        args: given arguments; with a name, they replace single arguments of the fixture.

    Raises:
        UsageError: for a case that the tool does not have.
    """
    if name is not None and name != DEFAULT_CASE:
        fixture = _fixture(tool, name)
        if args:
            return _by_hand({**fixture.args, **args})
        return Case(name, dict(fixture.args), name, fixture)
    own = dict(tool.args_fixture or {})
    if args is None or dict(args) == own:
        return Case(DEFAULT_CASE, own, DEFAULT_CASE)
    return _by_hand(dict(args))


def named_cases(tool: Tool) -> list[Case]:
    """Return args_fixture, where there is one, and every named case of a tool."""
    cases = [Case(f.name, dict(f.args), f.name, f) for f in tool.fixtures]
    if tool.args_fixture is not None:
        cases.insert(0, Case(DEFAULT_CASE, dict(tool.args_fixture), DEFAULT_CASE))
    return cases


def _by_hand(args: dict[str, Any]) -> Case:
    return Case(None, args, f"args-{_digest(args)}")


def _fixture(tool: Tool, name: str) -> Fixture:
    for fixture in tool.fixtures:
        if fixture.name == name:
            return fixture
    known = [fixture.name for fixture in tool.fixtures]
    listed = f"its cases: {', '.join(known)}" if known else "it has no named cases"
    raise UsageError(
        f"tool '{tool.name}' has no case '{name}'{did_you_mean(name, known)}",
        code="TM502",
        hint=f"{listed}; `fixtures` in {tool.at.path} holds them",
    )


def _digest(args: Mapping[str, Any]) -> str:
    """Return 8 hex digits that stand for these arguments, whatever the order of their keys."""
    from hashlib import sha256  # noqa: PLC0415  loads OpenSSL, and most runs are of a case

    text = json.dumps(args, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode("ascii")).hexdigest()[:8]
