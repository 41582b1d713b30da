"""The error tree and exit codes; every failure that a user meets is one of these.

What lives here: exceptions, `Location`, exit codes. What must not: rendering, and anything that
imports another part of tm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from tm.records import record

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_INTERRUPTED = 130


@record
class Location:
    """A place in a file of the workspace.

    Attributes:
        path: relative to the workspace root, with `/`; never absolute.
        line: counted from 1; None where the whole file is meant.
        col: counted from 1, in characters; None where only the line is known.
    """

    path: str
    line: int | None = None
    col: int | None = None

    def __str__(self) -> str:
        """Return `path:line:col`, as editors and terminals link it."""
        parts = [self.path, *(str(n) for n in (self.line, self.col) if n is not None)]
        return ":".join(parts)


@record
class Detail:
    """One failure among several: where it is, and what is wrong there.

    Attributes:
        path: of the argument or field, in dots (`lines.0.qty`); empty for the whole.
        message: what was wrong and what is allowed.
    """

    path: str
    message: str

    def __str__(self) -> str:
        """Return the message with its path in front, unless it begins with the path itself."""
        path, message = self.path, self.message
        return message if not path or message.startswith(f"{path} ") else f"{path}: {message}"


def join_path(steps: Iterable[object]) -> str:
    """Write keys and positions as the path of a `Detail`; odd keys are quoted as in JSON."""
    return ".".join(_quote(str(step)) for step in steps)


def _quote(key: str) -> str:
    if re.fullmatch(r"[^.*\"\\\s]+", key):
        return key
    escaped = re.sub(r'[\\"\x00-\x1f]', _escape, key)
    return f'"{escaped}"'


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return f"\\u{ord(char):04x}" if char < " " else f"\\{char}"


class TmError(Exception):
    """Base of every error that tm raises on purpose.

    Attributes:
        message: what is wrong, where, and why, in words for the user. Holds no secret.
        code: `TMnnn`, explained by `tm explain`.
        hint: the next step, or None.
        at: the place in the workspace, or None.
        details: single failures, where there are several.
    """

    exit_code = EXIT_FAILED

    def __init__(
        self,
        message: str,
        *,
        code: str = "TM509",
        hint: str | None = None,
        at: Location | None = None,
        details: Sequence[Detail] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.at = at
        self.details = tuple(details)

    def __str__(self) -> str:
        """Return the message, with its place in front where there is one."""
        return f"{self.at}: {self.message}" if self.at else self.message

    def to_json(self) -> dict[str, Any]:
        """Return the error's shape in `--json` output (SPEC, section 10)."""
        return {
            "code": self.code,
            "message": str(self),
            "hint": self.hint,
            "details": [{"path": d.path, "message": d.message} for d in self.details],
        }


class UsageError(TmError):
    """The call is wrong: an unknown tool, tenant or flag, arguments that can't be read."""

    exit_code = EXIT_USAGE


class ConfigError(TmError):
    """A config file of the workspace is wrong; carries the lint code that names the fault."""

    exit_code = EXIT_USAGE


class ToolError(TmError):
    """A run failed. A model may see it, and a handler may catch it (`from tm import ToolError`)."""


class SecurityError(TmError):
    """Something forbidden was tried. Never downgraded to another error."""


class ChatError(TmError):
    """The model server or the chat itself failed."""


def nearest(word: str, known: Sequence[str], limit: int = 3) -> list[str]:
    """Return at most `limit` of the known names that the word may have meant, best first.

    Letter case is ignored, so `getinvoice` finds `getInvoice`.
    """
    from difflib import get_close_matches  # noqa: PLC0415  only a misspelt name needs it

    by_lower = {name.lower(): name for name in sorted(known, reverse=True)}
    hits = get_close_matches(word.lower(), sorted(by_lower), n=limit, cutoff=0.6)
    return [by_lower[hit] for hit in hits]


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """Return `; did you mean 'x' or 'y'?`, or an empty text where nothing is near."""
    names = [f"'{name}'" for name in nearest(word, known)]
    return f"; did you mean {' or '.join(names)}?" if names else ""
