"""Answers `tm lint` where it was clean and nothing has changed since, before anything is imported.

What lives here: the look at the workspace that tells so, and the answers that are kept. It may
import hardly anything, since starting is all that such a run costs (decision 0010). What must not:
answers with findings, which show lines of files and belong to the cache of results.
"""

from __future__ import annotations

import marshal
import os
import sys

from tm._version import __version__
from tm.config.cache_place import cache_base, open_own, root_mark

TYPE_CHECKING = False  # as type checkers know it; importing `typing` costs a third of a start
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

TENANTS = "tenants"
SKIPPED = frozenset({"files", "_backups", "logs", "tmp", "cassettes", "knowledge"})
ENDINGS = (".yaml", ".yml", ".py")
YOUNG_NS = 50_000_000
MAX_ANSWERS = 16
_STABLE = 2  # this format of marshal has no back references: equal data gives equal bytes
_SHOWN_BY = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS")


class UnsureError(Exception):
    """Something is there that is not told by what a file looks like from outside."""


def kept_answer(words: Sequence[str], environ: Mapping[str, str]) -> str | None:
    """Return what `tm lint` printed when it was clean; None: it has to look again.

    Args:
        words: of the command line, with `lint`.
    """
    path = _path(environ)
    if path is None or sys.stdout.isatty():
        return None
    answers = _read(path)
    found = answers.get(_words_key(words, environ))
    if found is None or found[0] != state_of(os.getcwd(), time_ns=None):  # noqa: PTH109  a text
        return None
    text: str = found[1]
    return text


def with_answer(
    words: Sequence[str], environ: Mapping[str, str], state: bytes, text: str
) -> tuple[str, bytes] | None:
    """Return path and bytes of the cache file that also holds a new answer; None: keep none.

    Args:
        state: as it was before a file was read.
        text: all that stdout got.
    """
    path = _path(environ)
    if path is None:
        return None
    answers = {**_read(path), _words_key(words, environ): (state, text)}
    kept = dict(list(answers.items())[-MAX_ANSWERS:])
    return path, marshal.dumps(kept, _STABLE)


def state_of(cwd: str, *, time_ns: int | None) -> bytes | None:
    """Return all that an answer depends on beside its words; None where that can't be told.

    Args:
        time_ns: the present; a file that changed shortly before it may change once more without
            a new time, and can't be told. None: every file counts as old enough.
    """
    root = _root(cwd)
    if root is None:
        return None
    try:
        files = list(_files(f"{root}/{TENANTS}", 0))
        settings = _settings(f"{root}/pyproject.toml")
        newest = max([settings[0], *(found[1] for found in files if len(found) > 1)])
        if time_ns is not None and newest > time_ns - YOUNG_NS:
            return None
        code = list(_code(os.path.dirname(os.path.dirname(__file__))))  # noqa: PTH120  a text
    except (OSError, UnsureError):
        return None
    return marshal.dumps((cwd, root, sorted(files), settings, code, _yaml_stamp()), _STABLE)


def _root(cwd: str) -> str | None:
    """Return the nearest folder upwards that holds a real folder `tenants`."""
    folder = cwd
    while not os.path.isdir(f"{folder}/{TENANTS}"):  # noqa: PTH112  a text
        above = os.path.dirname(folder)  # noqa: PTH120  a text
        if above == folder:
            return None
        folder = above
    return None if os.path.islink(f"{folder}/{TENANTS}") else folder  # noqa: PTH114  a text


def _files(folder: str, depth: int) -> Iterator[tuple[Any, ...]]:
    """Yield every folder and config file where config is looked for."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name[0] == "." or name == "__pycache__":
                continue
            if entry.is_symlink():
                raise UnsureError
            if entry.is_dir(follow_symlinks=False):
                if depth != 1 or name not in SKIPPED:
                    yield (os.fsencode(entry.path),)
                    yield from _files(entry.path, depth + 1)
            elif name.endswith(ENDINGS):
                found = entry.stat(follow_symlinks=False)
                size, inode = found.st_size, found.st_ino
                yield os.fsencode(entry.path), found.st_ctime_ns, size, inode, found.st_mode


def _settings(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116  a text
    except FileNotFoundError:
        return (0, 0, 0)
    if os.path.islink(path):  # noqa: PTH114  a text
        raise UnsureError
    return (found.st_ctime_ns, found.st_size, found.st_ino)


def _code(folder: str) -> Iterator[tuple[str, int]]:
    """Yield when each module of tm was last changed: a checkout has one version for long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path, entry.stat().st_mtime_ns
            elif entry.name[0] != "_" and entry.is_dir():
                yield from _code(entry.path)


def _yaml_stamp() -> tuple[str, int]:
    """Return where PyYAML is and since when; importing it would cost more than all of this."""
    for folder in sys.path:
        try:
            path = f"{folder or '.'}/yaml/__init__.py"
            return path, os.stat(path).st_mtime_ns  # noqa: PTH116  a text
        except OSError:
            continue
    return "", 0


def _words_key(words: Sequence[str], environ: Mapping[str, str]) -> bytes:
    shown = [(k, v) for k, v in environ.items() if k in _SHOWN_BY or k.startswith("TM_")]
    return marshal.dumps((list(words), sorted(shown), __version__, sys.version), _STABLE)


def _path(environ: Mapping[str, str]) -> str | None:
    """Return the cache file; None where there is none, or TM_ROOT leads elsewhere."""
    base = cache_base(environ)
    root = _root(os.getcwd())  # noqa: PTH109  a text
    if base is None or root is None or environ.get("TM_ROOT"):
        return None
    # Cleared with the indexes; no home begins with a dot.
    return f"{base}/{root_mark(root)}-.clean.index"


def _read(path: str) -> dict[bytes, tuple[bytes, str]]:
    """Return the answers by their words; none where the file is not of use."""
    try:
        with os.fdopen(open_own(path), "rb") as stream:
            found = marshal.loads(stream.read())  # noqa: S302  our own file; data only
    except (OSError, EOFError, ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}
