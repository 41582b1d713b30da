"""What a shell offers when TAB is pressed: names of the workspace, as far as it can be read.

What lives here: the names for each kind of word. What must not: errors; a shell has no place for
them, so where nothing can be read nothing is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tm.errors import TmError


def _call(ctx: Any) -> Any:
    """Return the call that the words typed so far make."""
    from tm.cli.call import Call  # commands import this module for its names alone

    params = ctx.params
    root = params.get("root")
    return Call(root=Path(root) if root else None, tenant=params.get("tenant"))


def _offered(names: Callable[[], Iterable[str]], incomplete: str) -> list[str]:
    try:
        return sorted({name for name in names() if name.startswith(incomplete)})
    except (TmError, OSError):
        return []


def _all_codes(ctx: Any) -> Callable[[], list[str]]:
    def codes() -> list[str]:
        found: list[str] = _call(ctx).catalog.tenant_codes()
        return found

    return codes


def tenant_codes(ctx: Any, incomplete: str) -> list[str]:
    """Return the codes of tenants that begin like this."""
    return _offered(_all_codes(ctx), incomplete)


def tool_names(ctx: Any, incomplete: str) -> list[str]:
    """Return the tools of the chosen tenant, or of all where none is chosen."""

    def names() -> Iterable[str]:
        call = _call(ctx)
        return (name for code in call.tenants() for name in call.catalog.tool_names(code))

    given = set(ctx.params.get("names") or ())
    return [name for name in _offered(names, incomplete) if name not in given]


def assistant_names(ctx: Any, incomplete: str) -> list[str]:
    """Return the assistants of the chosen tenant, or of all where none is chosen."""

    def names() -> Iterable[str]:
        call = _call(ctx)
        return (name for code in call.tenants() for name in call.catalog.tenant(code).assistants)

    return _offered(names, incomplete)


def task_names(ctx: Any, incomplete: str) -> list[str]:
    """Return the scheduled tasks of the chosen tenant, or of all where none is chosen."""

    def names() -> Iterable[str]:
        call = _call(ctx)
        return (name for code in call.tenants() for name in call.catalog.tenant(code).scheduled)

    return _offered(names, incomplete)


def case_names(ctx: Any, incomplete: str) -> list[str]:
    """Return the cases of the tools that are named already."""

    def names() -> Iterable[str]:
        call = _call(ctx)
        # Where an option's value is still to come, the words before it are left unread.
        tools = ctx.params.get("names") or ctx.args
        found = (call.catalog.find_tool(call.tenant_for(name), name) for name in tools)
        return (case.name for tool in found for case in tool.fixtures)

    return _offered(names, incomplete)


def code_names(incomplete: str) -> list[str]:
    """Return the codes that `tm explain` knows and that begin like this; what is typed stays."""
    from tm.codes import all_pages

    codes = _offered(lambda: (page.code for page in all_pages()), incomplete.upper())
    return [incomplete + code[len(incomplete) :] for code in codes]


def code_list(incomplete: str) -> list[str]:
    """Return what may stand in a comma-separated list of codes, of which the last is unfinished."""
    done, comma, last = incomplete.rpartition(",")
    return [f"{done}{comma}{code}" for code in code_names(last)]
