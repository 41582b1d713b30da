"""What can be made of a run in the log: the same run again, or a named case of its tool."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from tm.errors import UsageError
from tm.model import Json
from tm.redact import MASK
from tm.store.rows import Row

MOST_CHARS: Final = 20_000
"""Longest result, as JSON, that a case expects: a longer one would bury the tool's file."""


def args_again(row: Row) -> dict[str, Any]:
    """Return the arguments of a run, to be given once more.

    Raises:
        UsageError: secrets in them were masked, or they were not kept.
    """
    if not isinstance(row.args, dict):
        raise UsageError(
            f"the arguments of run {row.id} were not kept whole",
            code="TM500",
            hint=f"tm test-tool {row.tool_name} --args JSON runs it with others",
        )
    masked = list(_masked(row.args, ""))
    if masked:
        raise UsageError(
            f"run {row.id} had a secret in its arguments, which the log does not keep: "
            f"{', '.join(masked[:5])}",
            code="TM500",
            hint=f"tm test-tool {row.tool_name} --args JSON runs it with the value in its place",
        )
    return row.args


def _masked(value: Json, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _masked(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _masked(part, f"{path}.{number}")
    elif isinstance(value, str) and MASK in value:
        yield path


def fixture_of(row: Row, name: str) -> dict[str, Any]:
    """Return the case that expects what this run gave.

    A dry run expects nothing: its result is a stub. Nor does a run with a very long result.

    Raises:
        UsageError: it has not ended by itself; or as `args_again`.
    """
    if row.state not in {"ok", "failed"}:
        how = "is still going" if row.state == "running" else "was killed"
        raise UsageError(f"run {row.id} {how}: there is nothing to expect of it", code="TM500")
    case: dict[str, Any] = {"name": name, "args": args_again(row)}
    if row.error is not None:
        case["error"] = row.error.code
        if row.http_status is not None and row.http_status >= 400:
            case["status"] = row.http_status
    elif not row.dry_run and len(json.dumps(row.result)) <= MOST_CHARS:
        case["expect"] = row.result
    return case
