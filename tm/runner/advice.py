"""What a run tells the author of a tool beside its error: places, and keys that mean nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from tm.config.fields import TOOL_FIELDS
from tm.errors import ConfigError, ToolError, did_you_mean
from tm.http.messages import Response
from tm.model import Tool

_STUMBLE: Final = re.compile(r"(TypeError|AttributeError)\b")
_MOST_MISSES: Final = 3


def unknown_fields(tool: Tool) -> Iterator[str]:
    """Yield a line for each key of the tool that tm does not know, with its place.

    Such a key stops nothing from running (SPEC, section 11), but without a word the author of
    `maping` would look for the fault everywhere else.
    """
    for name in tool.declared:
        if name not in TOOL_FIELDS:
            near = did_you_mean(name, list(TOOL_FIELDS))
            yield f"{tool.fields[name].at}: unknown key '{name:.60}'{near} [TM007]"


@contextmanager
def placed(tool: Tool, field: str) -> Iterator[None]:
    """Give a ConfigError that rises from here, and has no place yet, that of the tool's field."""
    try:
        yield
    except ConfigError as error:
        if error.at is None and field in tool.fields:
            error.at = tool.fields[field].at
        raise


def not_json(response: Response) -> str | None:
    """Return a line that says why no path finds anything in an answer; None: it is JSON."""
    body = response.body
    if isinstance(body, Mapping) and body.keys() == {"text", "content_type"}:
        kind = str(body["content_type"]).split(";")[0]
        return f"the answer is {kind}, not JSON: mapping finds no fields in it"
    return None


@contextmanager
def misses_told(misses: Sequence[str]) -> Iterator[None]:
    """Add what `mapping` did not find to the hint of a function that stumbles over a null."""
    try:
        yield
    except ToolError as error:
        if misses and error.code == "TM509" and _STUMBLE.match(error.message):
            error.hint = "\n".join([*([error.hint] if error.hint else []), *misses[:_MOST_MISSES]])
        raise
