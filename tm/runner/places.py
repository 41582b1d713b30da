"""Where in a tenant's files something happened, and what an exception says, in words.

What lives here: tracebacks to `Location`s, exceptions to texts. What must not: reading the disk;
source lines come from the bytes that were loaded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from tm.errors import Location, SecurityError
from tm.records import record
from tm.runner.guard import FORBIDDEN, ForbiddenError, armed

RAISED: Final = "TM509"
MAX_TEXT: Final = 2_000
MAX_LINE: Final = 200
_MAX_GROUP: Final = 3

_CTX_HINT: Final = (
    'use ctx: ctx["http"] for APIs, ctx["tool"] with readFile and writeFile for files, '
    'ctx["config"] for settings'
)
_IMPORT_HINT: Final = (
    "import one of the allowed standard modules, `from tm import Ctx, ToolError`, or a file of "
    "the same tenant with `from .file import name`"
)


@record
class Source:
    """The bytes of a tenant's file as they were loaded; the `__loader__` of its module.

    Attributes:
        path: relative to the workspace root, with `/`.
        data: UTF-8, with or without BOM.
    """

    path: str
    data: bytes

    def get_source(self, _name: str) -> str:
        """Return the text; the standard library's tracebacks ask for it under this name."""
        return self.data.decode("utf-8-sig", "replace")

    def line(self, number: int) -> str:
        """Return a line, counted from 1, without its end; empty where there is none."""
        lines = self.get_source("").splitlines()
        return lines[number - 1] if 0 < number <= len(lines) else ""


@record
class Place:
    """A place in a tenant's file, with its source line, stripped and at most 200 characters."""

    at: Location
    line: str


def innermost(traceback: TracebackType | None) -> Place | None:
    """Return the innermost place in a tenant's file, or None where the traceback has none."""
    last = None
    for entry in _entries(traceback):
        if _source(entry) is not None:
            last = entry
    return _place(last) if last is not None else None


def ends_in_tenant(traceback: TracebackType | None) -> bool:
    """Tell whether the exception was raised by a tenant's own line, not below it."""
    entries = list(_entries(traceback))
    last = entries[-1] if entries else None
    return last is not None and _source(last) is not None


def _entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _source(entry: TracebackType) -> Source | None:
    """Return the tenant's file that an entry is in, or None.

    The name is compared too: methods that dataclasses write run with the same globals.
    """
    frame = entry.tb_frame
    source = frame.f_globals.get("__loader__")
    if type(source) is Source and source.path == frame.f_code.co_filename:
        return source
    return None


def _place(entry: TracebackType) -> Place:
    source = _source(entry)
    assert source is not None  # noqa: S101  the caller has chosen such an entry
    line = source.line(entry.tb_lineno)
    at = Location(source.path, entry.tb_lineno, _column(entry, line))
    text = line.strip()
    return Place(at, text if len(text) <= MAX_LINE else text[: MAX_LINE - 1] + "…")


def _column(entry: TracebackType, line: str) -> int | None:
    """Return the column of the failing expression, from 1 in characters; None if unknown."""
    positions = entry.tb_frame.f_code.co_positions()
    first, _, start, _ = next(
        itertools.islice(positions, entry.tb_lasti // 2, None), (None, None, None, None)
    )
    if start is None or first != entry.tb_lineno:
        return None
    return len(line.encode()[:start].decode(errors="ignore")) + 1


def describe(error: BaseException) -> str:
    """Return an exception as `Type: text`, at most 2,000 characters, without failing.

    The text comes from the tenant's own `__str__`, where the class has one: it runs armed.
    """
    name = type(error).__name__
    try:
        with armed():
            text = _text(error)
    except Exception:  # noqa: BLE001  a tenant's __str__ may raise anything
        text = "(its text can't be read)"
    except ForbiddenError:
        text = "(its text can't be read)"
    return f"{name}: {text}" if text else name


def _text(error: BaseException) -> str:
    text = str(error)
    text = text if type(text) is str else str.__str__(text)
    if isinstance(error, BaseExceptionGroup):
        inner = (f"{type(one).__name__}: {one}" for one in error.exceptions[:_MAX_GROUP])
        text = f"{text}: {'; '.join(inner)}"
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def raised(error: BaseException, place: Place | None) -> str:
    """Return an exception's text with the source line that raised it."""
    line = f", in the line `{place.line}`" if place and place.line else ""
    return describe(error) + line


def forbidden(denial: ForbiddenError, fallback: Location | None) -> SecurityError:
    """Return the error for a refused event.

    Args:
        denial: as recorded by the guard.
        fallback: the place where no line of a tenant's file is known.
    """
    place = innermost(denial.__traceback__)
    line = f", in the line `{place.line}`" if place and place.line else ""
    return SecurityError(
        f"the function tried to {denial.what}, which is not allowed while it runs{line}",
        code=FORBIDDEN,
        hint=_IMPORT_HINT if denial.what.startswith("import ") else _CTX_HINT,
        at=place.at if place else fallback,
    )


def as_security_error(problem: BaseException, fallback: Location | None) -> SecurityError | None:
    """Return the error for a refused event that reached tm's own code, None for anything else.

    Args:
        problem: what was raised.
        fallback: the place where no line of a tenant's file is known.
    """
    if not isinstance(problem, ForbiddenError):
        return None
    error = forbidden(problem, fallback)
    error.__cause__ = problem
    return error
