"""readFile, writeFile and deleteFile: single files below the tenant's `files/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tm.builtin.content import decoded, encoded
from tm.builtin.context import FILES, BuiltinContext
from tm.builtin.places import in_files, in_tenant, invalid, named_files
from tm.confine import MissingPathError, read_bytes, write_atomic
from tm.confine.files import append_bytes, file_size, remove_file
from tm.confine.tree import walk_files
from tm.errors import SecurityError
from tm.model import Json

MAX_FILE_BYTES: Final = 20_000_000
"""One file at most, in bytes (20 MB)."""

DEFAULT_QUOTA_MB: Final = 500
_MB: Final = 1_000_000

REFUSED_ENDINGS: Final = (
    ".py", ".pyc", ".pyi", ".pyw", ".pyd", ".pth", ".yaml", ".yml", ".so", ".dll", ".dylib",
    ".exe", ".com", ".sh", ".bash", ".bat", ".cmd", ".ps1",
)  # fmt: skip
"""Config, code and programs: data folders hold none, wherever they are copied later."""


def read_file(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Return `{"path", "content", "size"}`; the size is that of the file, in bytes.

    Raises:
        SecurityError: TM518, the path leaves files/, or leads to no plain file.
        ToolError: TM501, there is no such file, or it is no text.
    """
    path = args["path"]
    context.log("info", "reading a file", {"path": path})
    segments = in_files(context, path)
    with named_files(context, path):
        data = read_bytes(context.root, segments, limit=MAX_FILE_BYTES)
    content = encoded(data, args["encoding"], path)
    context.log("success", "file read", {"path": path, "bytes": len(data)})
    return {"path": _shown(segments), "content": content, "size": len(data)}


def write_file(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Write or append, and return `{"path", "size"}`: the size of the whole file, in bytes.

    Raises:
        SecurityError: TM518, the path leaves files/, leads to no plain file, or its ending is
            one of config, code and programs.
        ToolError: TM501, the content is too large or no base64, or the quota is used up.
    """
    path, append = args["path"], args["append"]
    context.log("info", "writing a file", {"path": path, "append": append})
    segments = in_files(context, path)
    _refuse_ending(segments[-1])
    data = decoded(args["content"], args["encoding"])
    before = file_size(context.root, segments) or 0
    size = before + len(data) if append else len(data)
    _check_size(path, size)
    _check_quota(context, size - before)
    if context.dry_run:
        context.log("success", "dry run: nothing was written", {"path": path, "bytes": size})
        return {"path": _shown(segments), "size": size, "dry_run": True}
    if append:
        size = append_bytes(context.root, segments, data, limit=MAX_FILE_BYTES)
    else:
        write_atomic(context.root, segments, data)
    context.log("success", "file written", {"path": path, "bytes": size})
    return {"path": _shown(segments), "size": size}


def delete_file(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Delete a file and return `{"path", "deleted": true}`.

    Raises:
        SecurityError: TM518, the path leaves files/, or leads to no plain file.
        ToolError: TM501, there is no such file.
    """
    path = args["path"]
    context.log("info", "deleting a file", {"path": path})
    segments = in_files(context, path)
    with named_files(context, path):
        if file_size(context.root, segments) is None:
            raise MissingPathError(f"there is no {path!a}", code="TM518")
        if context.dry_run:
            context.log("success", "dry run: nothing was deleted", {"path": path})
            return {"path": _shown(segments), "deleted": False, "dry_run": True}
        remove_file(context.root, segments)
    context.log("success", "file deleted", {"path": path})
    return {"path": _shown(segments), "deleted": True}


def _shown(segments: tuple[str, ...]) -> str:
    """Return a file's path below files/."""
    return "/".join(segments[3:])


def _refuse_ending(name: str) -> None:
    """Refuse to write what might be run or read as config one day.

    Raises:
        SecurityError: TM518.
    """
    ending = name[name.rfind(".") :].lower()
    if ending in REFUSED_ENDINGS:
        raise SecurityError(
            f"{name!a} ends in {ending}: files/ holds data, not config, code or programs",
            code="TM518",
            hint="write another format, such as .txt or .json; writeTenantConfig writes config",
        )


def _check_size(path: str, size: int) -> None:
    """Refuse a file that would be too large.

    Raises:
        ToolError: TM501.
    """
    if size > MAX_FILE_BYTES:
        what = f"{path!a} would have {size:,} bytes; a file has at most {MAX_FILE_BYTES:,}"
        raise invalid("content", what, "write several smaller files")


def _check_quota(context: BuiltinContext, growth: int) -> None:
    """Refuse to write more than the tenant's files/ may hold.

    Two that write at the same moment may together go past it, by one file at most each.

    Raises:
        ToolError: TM501.
    """
    if growth <= 0:
        return
    limit_mb = _quota_mb(context.settings)
    used = _used_bytes(context)
    if used + growth > limit_mb * _MB:
        raise invalid(
            "content",
            f"files/ holds {used:,} bytes and {growth:,} more would pass its quota of "
            f"{limit_mb:g} MB",
            "delete files that are not needed (deleteFile), or raise settings.files_quota_mb",
        )


def _quota_mb(settings: Mapping[str, Any]) -> float:
    """Return the quota in MB; what is no number does not lift it."""
    given = settings.get("files_quota_mb", DEFAULT_QUOTA_MB)
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return given if is_number else DEFAULT_QUOTA_MB


def _used_bytes(context: BuiltinContext) -> int:
    files = walk_files(context.root, in_tenant(context, FILES), with_hidden=True)
    try:
        return sum(found.size for found in files)
    except MissingPathError:
        return 0
