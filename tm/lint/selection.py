"""Which codes are wanted: `--select` and `--ignore`, and the same in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tm.errors import Location, UsageError, nearest
from tm.records import record

RUN_TIME = "TM5"
"""Codes of runs: the linter never finds them."""


@record
class Selection:
    """Codes or prefixes to report, and to leave out.

    Attributes:
        select: None: all.
        ignore: the longer of two that fit decides; of equal ones this one does.
        above: the selection that this one narrows further; None: there is none.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    above: Selection | None = None

    def takes(self, code: str) -> bool:
        """Say whether a code is to be reported."""
        wanted = 0 if self.select is None else _longest(self.select, code)
        if wanted < 0 or _longest(self.ignore, code) >= max(wanted, 1):
            return False
        return self.above is None or self.above.takes(code)


def _longest(prefixes: Iterable[str], code: str) -> int:
    """Return the length of the longest prefix that fits, or -1."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def narrowed(by: Selection, settings: Selection) -> Selection:
    """Return what a call selects: its own `select` replaces the settings' choice altogether."""
    return by if by.select is not None else Selection(None, by.ignore, settings)


def lint_codes() -> list[str]:
    """Return every code that the linter can find."""
    from tm.codes import all_pages  # noqa: PLC0415  most calls name no code

    return [page.code for page in all_pages() if not page.code.startswith(RUN_TIME)]


def read_codes(texts: Sequence[str], word: str, at: Location | None = None) -> tuple[str, ...]:
    """Return codes and prefixes in upper case.

    Args:
        texts: each one or several, with commas between them.
        word: where they stand, for the message.
        at: the same, as a place.

    Raises:
        UsageError: TM500 for one that no code begins with.
    """
    given = [part.strip() for text in texts for part in text.split(",")]
    return tuple(_known(part, word, at) for part in given if part)


def _known(text: str, word: str, at: Location | None) -> str:
    prefix, codes = text.upper(), lint_codes()
    if prefix.startswith("T") and any(code.startswith(prefix) for code in codes):
        return prefix
    near = nearest(prefix, codes)
    raise UsageError(
        f"{word} names {text!a:.40}, and no lint code begins so"
        + (f"; near it: {', '.join(near)}" if near else ""),
        code="TM500",
        hint="tm explain --all lists the codes; a prefix such as TM3 takes all that begin with it",
        at=at,
    )
