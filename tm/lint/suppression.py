"""What a suppressing comment says."""

from __future__ import annotations

from tm.records import record


@record
class Suppression:
    """One comment that suppresses.

    Attributes:
        line, col: of its `#`, from 1.
        codes: in upper case, in their order; empty where the comment has no bracket.
        reason: empty where none is given.
        covers: the lines whose findings it suppresses.
    """

    line: int
    col: int
    codes: tuple[str, ...]
    reason: str
    covers: tuple[int, ...]
