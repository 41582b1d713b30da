"""TM902: what could not be looked at."""

from __future__ import annotations

from collections.abc import Iterator

from tm.config.discover import MAX_FOLDERS, TENANTS
from tm.errors import Location
from tm.lint.rule import Hit, Rule, Subject


def check(subject: Subject) -> Iterator[Hit]:
    """Yield the folders and files of a home that were not read."""
    for path in sorted(subject.home.listing.unreadable):
        shown = path.rstrip("/")
        at = Location(f"{TENANTS}/{subject.home.code}/{shown}", 1)
        yield Hit(
            at,
            f"{shown!a:.200} is not looked at",
            f"it can't be listed, lies more than {MAX_FOLDERS} folders deep, has a name that is no "
            "text, or is no regular file; make it one that can be read, or move it away",
        )


RULE = Rule("TM902", "home", check)
