"""Patterns of schemas: compiling them, and refusing those that can take exponential time.

Shared by the check of arguments and by lint (TM119).
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache


class PatternError(ValueError):
    """A pattern that can't be used; its text says why, and `hint` what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    r"""Compile a pattern of a schema, to be used with `search`.

    `$` means the very end, as JSON Schema has it; Python's also allows a line break after it.

    Raises:
        PatternError: it does not compile, or can take exponential time.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            re.compile(pattern)
            compiled = re.compile(_strict_end(pattern))
    except (re.error, OverflowError, FutureWarning, RecursionError) as error:
        raise PatternError(
            f"the pattern {pattern} does not compile: {error}", _hint(pattern)
        ) from error
    if _can_explode(pattern):
        raise PatternError(
            f"the pattern {pattern} can take exponential time",
            "It can match the same text in many ways: take one of two nested repeats, or one of "
            "two alternatives that overlap, out.",
        )
    return compiled


def _can_explode(pattern: str) -> bool:
    # Only a repeated group can; most patterns have none, and need no automaton.
    if not re.search(r"\)[*+{]", pattern):
        return False
    from tm.schema.ambiguity import is_exponential  # noqa: PLC0415  rarely needed

    return is_exponential(pattern)


def _hint(pattern: str) -> str | None:
    if re.search(r"\\[pP]\{", pattern):
        return r"Python has no \p{...}: write the letters out, such as [A-Za-zÄÖÜäöüß]."
    if "(?<" in pattern:
        return "Python writes named groups (?P<name>...)."
    return None


def _strict_end(pattern: str) -> str:
    written: list[str] = []
    position, in_set = 0, False
    while position < len(pattern):
        char = pattern[position]
        width = 2 if char == "\\" else 1
        piece = pattern[position : position + width]
        if char == "[" and not in_set:
            in_set = True
            # A bracket right after the opening one is a member of the set.
            piece = re.match(r"\[\^?\]?", pattern[position:]).group()  # type: ignore[union-attr]  # it always matches
        elif char == "]":
            in_set = False
        elif char == "$" and not in_set:
            piece = r"\Z"
        written.append(piece)
        position += len(piece) if piece != r"\Z" else 1
    return "".join(written)
