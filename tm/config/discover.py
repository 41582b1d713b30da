"""Where things are: the root, the tenants, the config files of a home, the tenant that is meant.

A home is a folder of config: a tenant's, or `_shared`. Nothing here reads a file's content.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from stat import S_ISDIR
from typing import Final, Protocol

from tm.errors import UsageError, did_you_mean
from tm.records import field, record

TENANTS: Final = "tenants"
RUNTIME_FOLDERS: Final = frozenset({"files", "_backups", "logs", "tmp", "cassettes", "knowledge"})
CONFIG_ENDINGS: Final = (".yaml", ".yml", ".py")
MAX_FOLDERS: Final = 64
"""Folders nested deeper than this are not searched."""

YOUNG_NS: Final = 50_000_000
"""A file that changed less than this before it was listed may change again without a new
mtime, since file systems count time in ticks: it is read again at the next request."""

_CODE = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")

Signature = tuple[int, int, int]
"""A file's ctime_ns, size in bytes and inode: what tells a changed file from the old one.

Not its mtime, which copying tools and editors set back.
"""


class TenantChoice(Protocol):
    """What choosing a tenant needs to know of the catalog."""

    @property
    def root(self) -> Path:
        """Return the workspace's root."""

    def tenant_codes(self) -> list[str]:
        """Return the codes of all tenants."""

    def tenants_with(self, name: str) -> list[str]:
        """Return the codes of the tenants that have the named tool."""

    def tool_names(self, code: str) -> list[str]:
        """Return the names of the tools of a tenant, and of the shared ones."""


@record(frozen=False)
class Listing:
    """The config files below one home.

    Attributes:
        files: signature by path relative to the home, with `/`.
        links: links that would be config files or folders, were they followed.
        unreadable: folders that could not be listed, files whose names are no text, and pipes,
            sockets and devices.
    """

    files: dict[str, Signature] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


def is_tenant_code(code: str) -> bool:
    """Tell whether the text is a tenant code (SPEC, section 2)."""
    return _CODE.fullmatch(code) is not None


def is_tenant(root: Path, code: str) -> bool:
    """Tell whether a tenant of this code is there: a real folder, no link to one."""
    try:
        mode = os.lstat(f"{root}/{TENANTS}/{code}").st_mode
    except (OSError, ValueError):
        return False
    return S_ISDIR(mode) and is_tenant_code(code)


def find_root(start: Path, *, option: str | None, environ: Mapping[str, str]) -> Path:
    """Return the workspace's root as an absolute path.

    Args:
        start: the current folder; searched upwards for a folder that holds `tenants/`.
        option: `--root`; beats everything. None: not given.
        environ: where `TM_ROOT` is looked up.

    Raises:
        UsageError: no root there.
    """
    named, word = (option, "--root") if option else (environ.get("TM_ROOT"), "TM_ROOT")
    if named:
        root = Path(os.path.abspath(start / named))  # noqa: PTH100  resolve() would follow links
        if is_folder(root / TENANTS):
            return root
        raise UsageError(
            f"{word} names a folder without {TENANTS}/: {named}",
            code="TM524",
            hint=f"name the folder that holds {TENANTS}/",
        )
    return _search_root(start)


def _search_root(start: Path) -> Path:
    """Return the nearest folder from `start` upwards that holds `tenants/`."""
    for folder in (start, *start.parents):
        if is_folder(folder / TENANTS):
            return folder
    raise UsageError(
        f"there is no {TENANTS}/ here or in a folder above",
        code="TM524",
        hint="change into a workspace, give --root DIR, or begin one: tm new tenant CODE",
    )


def is_folder(path: Path) -> bool:
    """Tell whether the path is a real folder: a link to one is none."""
    try:
        return path.is_dir() and not path.is_symlink()
    except OSError:
        return False


def tenant_codes(root: Path) -> list[str]:
    """Return the codes of all tenants, sorted; links and odd names are none.

    Raises:
        UsageError: the folder can't be read.
    """
    try:
        with os.scandir(root / TENANTS) as entries:
            found = [e.name for e in entries if e.is_dir(follow_symlinks=False)]
    except OSError as error:
        why = os.strerror(error.errno or 0).lower()
        raise UsageError(f"{TENANTS}/ can't be read: {why}", code="TM524") from error
    return sorted(name for name in found if is_tenant_code(name))


def list_files(home: Path) -> Listing:
    """Return the config files below a home, without following a link.

    Runtime folders count directly below the home only. Hidden names and `__pycache__` are
    left out everywhere.
    """
    listing = Listing()
    _list(str(home), "", listing, 0)
    return listing


def _list(folder: str, prefix: str, listing: Listing, depth: int) -> None:
    """Add one folder's files; `prefix` is its path in the home with a trailing `/`, or empty."""
    try:
        with os.scandir(folder) as entries:
            found = list(entries)
    except OSError:
        listing.unreadable.append(prefix or ".")
        return
    for entry in found:
        name = entry.name
        if name[0] == ".":
            continue
        if name.endswith(CONFIG_ENDINGS):
            _add_file(entry, prefix + name, listing)
        elif entry.is_symlink():
            _add_linked_folder(entry, prefix, listing)
        elif entry.is_dir(follow_symlinks=False) and not _is_skipped(name, depth):
            if depth >= MAX_FOLDERS:
                listing.unreadable.append(prefix + name)
                continue
            _list(entry.path, f"{prefix}{name}/", listing, depth + 1)


def _is_skipped(name: str, depth: int) -> bool:
    """Tell whether a folder is never searched for config."""
    return name == "__pycache__" or (depth == 0 and name in RUNTIME_FOLDERS)


def _add_file(entry: os.DirEntry[str], path: str, listing: Listing) -> None:
    """Add what looks like a config file by its name."""
    if entry.is_symlink():
        listing.links.append(path)
    elif entry.is_file(follow_symlinks=False):
        try:
            path.encode()
            status = entry.stat(follow_symlinks=False)
        except (OSError, UnicodeEncodeError):
            listing.unreadable.append(path.encode("utf-8", "replace").decode())
            return
        listing.files[path] = (status.st_ctime_ns, status.st_size, status.st_ino)
    elif entry.is_dir(follow_symlinks=False):
        _list(entry.path, f"{path}/", listing, path.count("/") + 1)
    else:
        listing.unreadable.append(path.encode("utf-8", "replace").decode())


def _add_linked_folder(entry: os.DirEntry[str], prefix: str, listing: Listing) -> None:
    """Remember a link to a folder, so that the linter can name it."""
    try:
        is_folder = entry.is_dir(follow_symlinks=True)
    except OSError:
        is_folder = True  # a circle of links, or a target that can't be reached
    if is_folder:
        listing.links.append(prefix + entry.name)


class TenantFolders:
    """The tenants alone, for a choice that no tool decides: nothing is loaded for it."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def root(self) -> Path:
        """Return the workspace's root."""
        return self._root

    def tenant_codes(self) -> list[str]:
        """Return the codes of all tenants."""
        return tenant_codes(self._root)

    def tenants_with(self, _name: str) -> list[str]:
        """Return all tenants: which have the tool is not known here."""
        return self.tenant_codes()

    def tool_names(self, _code: str) -> list[str]:
        """Return nothing: tools are not known here."""
        return []


def choose_tenant(
    catalog: TenantChoice,
    name: str | None,
    *,
    option: str | None,
    environ: Mapping[str, str],
    cwd: Path,
) -> str:
    """Return the code of the tenant that is meant (SPEC, section 2).

    Args:
        catalog: asked for the tenants, and for those that have the tool.
        name: of the tool; None: no tool decides.
        option: `--tenant`; None or empty: not given.
        environ: where `TM_TENANT` is looked up.
        cwd: the folder the user stands in.

    Raises:
        UsageError: unknown, or several come into question (they are listed).
    """
    codes = catalog.tenant_codes()
    for code in (option, environ.get("TM_TENANT"), _standing_in(cwd, catalog.root)):
        if code:
            return known_tenant(code, codes)
    return _only(catalog, name, codes)


def known_tenant(code: str, codes: list[str]) -> str:
    """Return the code if it is one of the tenants.

    Raises:
        UsageError: unknown; the nearest codes are named.
    """
    if code in codes:
        return code
    known = f"; there are: {', '.join(codes[:20])}" if codes else f"; {TENANTS}/ holds none"
    near = did_you_mean(code, codes) or known
    raise UsageError(f"there is no tenant {code!a}{near}", code="TM524")


def _standing_in(cwd: Path, root: Path) -> str | None:
    """Return the name of the tenant folder that holds the current folder, or None."""
    try:
        parts = cwd.resolve().relative_to(root.resolve() / TENANTS).parts
    except ValueError:
        return None
    return parts[0] if parts and is_tenant_code(parts[0]) else None


def _only(catalog: TenantChoice, name: str | None, codes: list[str]) -> str:
    """Return the only tenant that has the tool, or the only one there is."""
    having = catalog.tenants_with(name) if name and len(codes) > 1 else codes
    if len(having) == 1:
        return having[0]
    if not having and name:
        known = sorted({other for code in codes for other in catalog.tool_names(code)})
        raise UsageError(
            f"no tenant has a tool {name!a:.80}{did_you_mean(name, known)}",
            code="TM502",
            hint=f"tenants: {', '.join(codes[:20]) or 'none'}; tm list -t CODE shows their tools",
        )
    what = f"tool {name!a} is in several tenants" if name else "which tenant is meant is not clear"
    raise UsageError(
        f"{what}: {', '.join(having[:20]) or 'there is none'}",
        code="TM524",
        hint="say which one with --tenant CODE or TM_TENANT",
    )
