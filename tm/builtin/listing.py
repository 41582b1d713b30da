"""listFiles: what is below the tenant's `files/`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import translate
from itertools import islice
from typing import Any, Final, TypeAlias

from tm.builtin.context import FILES, BuiltinContext
from tm.builtin.places import in_tenant, named_files
from tm.confine import MissingPathError, check_path
from tm.confine.tree import FoundFile, walk_files
from tm.model import Json

Test: TypeAlias = Callable[[str], object]

LAST_SECOND: Final = 253_402_300_799
"""9999-12-31T23:59:59Z: file systems know later times, calendars do not."""

MAX_SEEN: Final = 100_000
"""Files that are looked at; of a larger folder the rest is left out."""
MAX_LISTED: Final = 1_000
"""Files in one answer: more would fill a model's context and help nobody."""


def list_files(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Return `{"files": [{"path", "size", "modified"}]}`, sorted by path, relative to files/.

    Where something is left out, `truncated` is true and `total` says how many were found. Links
    and hidden files are left out in any case.

    Raises:
        SecurityError: TM518, the path leaves files/, or leads to no folder.
        ToolError: TM501, there is no such folder.
    """
    path, pattern = args.get("path") or ".", args.get("pattern")
    context.log("info", "listing files", {"path": path, "pattern": pattern})
    segments = check_path(path)
    fits = _matcher(pattern)
    seen = _walk(context, path, segments)
    hits = sorted((found for found in seen if fits(found.path)), key=lambda found: found.path)
    prefix = "".join(f"{segment}/" for segment in segments)
    result: dict[str, Any] = {"files": [_row(found, prefix) for found in hits[:MAX_LISTED]]}
    if len(hits) > MAX_LISTED or len(seen) > MAX_SEEN:
        result |= {"truncated": True, "total": len(hits)}
        context.log("warning", "not all files are listed: narrow path or pattern", {"path": path})
    context.log("success", "files listed", {"files": len(result["files"])})
    return result


def _walk(context: BuiltinContext, path: str, segments: tuple[str, ...]) -> list[FoundFile]:
    """Return the files of a folder; none where nothing was written yet."""
    files = walk_files(context.root, in_tenant(context, FILES, *segments))
    with named_files(context, path):
        try:
            return list(islice(files, MAX_SEEN + 1))
        except MissingPathError:
            if segments:
                raise
            return []


def _row(found: FoundFile, prefix: str) -> dict[str, Any]:
    seconds = min(max(found.modified_ns // 1_000_000_000, 0), LAST_SECOND)
    moment = datetime.fromtimestamp(seconds, UTC)
    modified = f"{moment:%Y-%m-%dT%H:%M:%S}Z"
    return {"path": prefix + found.path, "size": found.size, "modified": modified}


def _matcher(pattern: str | None) -> Callable[[str], bool]:
    """Return what tells whether a path fits a glob.

    `*` and `?` stay within a part of the path, `**` is any number of folders. A pattern without
    `/` is compared with the name alone.
    """
    if not pattern:
        return lambda _: True
    parts = [part for part in pattern.split("/") if part not in {"", "."}]
    # fnmatch compiles a glob so that its stars do not backtrack into each other: patterns come
    # from models.
    tests = [None if part == "**" else re.compile(translate(part)).match for part in parts]
    if "/" in pattern:
        return lambda path: _fits(path.split("/"), tests)
    return lambda path: _fits([path.rpartition("/")[2]], tests)


def _fits(parts: Sequence[str], tests: Sequence[Test | None]) -> bool:
    """Say whether a path's parts fit a pattern's; None stands for any number of parts."""
    reached = {0}
    for test in tests:
        if test is None:
            reached = set(range(min(reached), len(parts) + 1)) if reached else reached
        else:
            reached = {at + 1 for at in reached if at < len(parts) and test(parts[at])}
    return len(parts) in reached
