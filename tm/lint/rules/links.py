"""TM312: links, which are never followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tm.config.discover import RUNTIME_FOLDERS, TENANTS, tenant_codes
from tm.errors import Location, TmError
from tm.lint.rule import Hit, Rule, Subject

_HELP = "copy what it leads to into the tenant, or make it a shared tool in tenants/_shared"


def check_home(subject: Subject) -> Iterator[Hit]:
    """Yield the links of a home that would be config, or a runtime folder elsewhere."""
    home, folder = subject.home, subject.workspace.root / TENANTS / subject.home.code
    for link in sorted(home.listing.links):
        leaves = _leaves(folder, link)
        if link in RUNTIME_FOLDERS and not leaves:
            continue
        why = f"leads out of {TENANTS}/{home.code}" if leaves else "is a link"
        at = Location(f"{TENANTS}/{home.code}/{link}", 1)
        yield Hit(at, f"{link!r:.80} {why}; links are not followed", _HELP)


def _leaves(folder: Path, link: str) -> bool:
    """Say whether what a link leads to lies outside; a circle leads nowhere."""
    try:
        inside, target = os.path.realpath(folder), os.path.realpath(folder / link)
    except (OSError, ValueError):
        return True
    return target != inside and not target.startswith(inside + os.sep)


def check_workspace(subject: Subject) -> Iterator[Hit]:
    """Yield links that stand where tenants do, when all tenants are looked at."""
    root = subject.workspace.root
    linted = {home.code for home in subject.workspace.homes}
    try:
        if not linted.issuperset(tenant_codes(root)):
            return
        with os.scandir(root / TENANTS) as entries:
            links = sorted(e.name for e in entries if e.is_symlink() and e.name[0] != ".")
    except (TmError, OSError):
        return  # whoever called has said so
    for name in links:
        what = f"{TENANTS}/{name!s:.80} is a link, and so no tenant"
        yield Hit(Location(f"{TENANTS}/{name}", 1), what, "make it a folder of its own")


HOME_RULE = Rule("TM312", "home", check_home)
WORKSPACE_RULE = Rule("TM312", "workspace", check_workspace)
