"""What the rules find in each home: from an earlier run where nothing changed, else by the rules.

The rules and what they need are imported only where they have to run.
"""

from __future__ import annotations

import gc
import marshal
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tm.config.discover import TENANTS, YOUNG_NS, Listing
from tm.config.index import STABLE
from tm.lint.finding import Finding
from tm.lint.results import HomeResult, ResultStore
from tm.model import SHARED

if TYPE_CHECKING:
    from tm.lint.subjects import LintWorkspace

WHOLE: Final = ""
"""Stands for what is found by looking at the workspace as a whole."""

_FAILED: Final = "TM902"


def examine(
    root: Path, homes: Sequence[str], listings: Mapping[str, Listing], cache: Path | None
) -> dict[str, HomeResult]:
    """Return what the rules find, by home.

    Args:
        homes: to lint, and WHOLE where all of them are.
        listings: of these and of `_shared`, made before a file is read.
        cache: folder of the user's caches; None: there is none.
    """
    store = ResultStore(root, cache)
    codes = [home for home in homes if home != WHOLE]
    depends = {home: _depends(root, home, codes, listings) for home in homes}
    found = {home: store.find(home, on) for home, on in depends.items()}
    stale = [home for home, result in found.items() if result is None]
    if stale:
        # What tenants use of the shared tools is seen only where all of them are looked at.
        needed = codes if SHARED in stale or WHOLE in stale else stale
        with _no_collection():
            fresh = run_rules(root, needed, stale)
        for home, result in fresh.items():
            if _may_keep(home, result, listings):
                store.keep(home, depends[home], result)
        store.write()
        found |= fresh
    return {home: result for home, result in found.items() if result is not None}


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the garbage collector out: it would look at all the trees again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def run_rules(root: Path, codes: Sequence[str], homes: Iterable[str]) -> dict[str, HomeResult]:
    """Return what the rules find in some homes of a workspace, or in it as a whole."""
    from tm.lint.collect import collect  # noqa: PLC0415  an unchanged workspace needs none of it

    return examine_workspace(collect(root, codes), homes)


def examine_workspace(workspace: LintWorkspace, homes: Iterable[str]) -> dict[str, HomeResult]:
    """Return what the rules find in files that are read already."""
    from tm.lint.comments import find_suppressions  # noqa: PLC0415  as above
    from tm.lint.engine import lint_home, lint_whole  # noqa: PLC0415  as above

    wanted, found = set(homes), {}
    for home in workspace.homes:
        if home.code in wanted:
            comments = {file.path: find_suppressions(file) for file in home.files}
            found[home.code] = HomeResult(
                _sorted(lint_home(workspace, home)),
                {path: given for path, given in comments.items() if given},
            )
    if WHOLE in wanted:
        found[WHOLE] = HomeResult(_sorted(lint_whole(workspace)), {})
    return found


def _sorted(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(set(findings), key=lambda finding: finding.order))


def _depends(root: Path, home: str, codes: Sequence[str], listings: Mapping[str, Listing]) -> bytes:
    """Return everything of the workspace that a home's result depends on."""
    names = [home, SHARED] if home not in {SHARED, WHOLE} else [*codes, SHARED]
    parts = [(name, *_state(root, name, listings[name])) for name in names]
    beside = _entries(root) if home == WHOLE else []
    return marshal.dumps((parts, beside), STABLE)


def _state(root: Path, home: str, listing: Listing) -> tuple[object, ...]:
    folder = root / TENANTS / home
    links = [(link, os.path.realpath(folder / link)) for link in sorted(listing.links)]
    return (sorted(listing.files.items()), links, sorted(listing.unreadable))


def _entries(root: Path) -> list[tuple[str, bool]]:
    """Return what stands where tenants do."""
    try:
        with os.scandir(root / TENANTS) as entries:
            return sorted((os.fsencode(e.name).hex(), e.is_symlink()) for e in entries)
    except OSError:
        return []


def _may_keep(home: str, result: HomeResult, listings: Mapping[str, Listing]) -> bool:
    """Say whether a result will be right as long as its files look the same.

    Not where a file could not be read (rights change without a trace in its signature), and not
    where one is so young that it may change again without a new time.
    """
    if any(finding.code == _FAILED for finding in result.findings):
        return False
    border = time.time_ns() - YOUNG_NS
    names = [home, SHARED] if home not in {SHARED, WHOLE} else list(listings)
    signatures = (sign for name in names for sign in listings[name].files.values())
    return all(modified < border for modified, _, _ in signatures)
