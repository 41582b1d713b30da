"""writeTenantConfig and deleteTenantConfig: a tenant's own config, changed by those who may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tm.builtin.config_check import ConfigCheck
from tm.builtin.context import BuiltinContext
from tm.builtin.places import in_tenant, invalid
from tm.config.discover import CONFIG_ENDINGS, RUNTIME_FOLDERS, list_files
from tm.confine import check_path, create_file, read_bytes, write_atomic
from tm.confine.files import file_size, remove_file
from tm.errors import Detail, SecurityError, ToolError, did_you_mean
from tm.model import Json

BACKUPS: Final = "_backups"
MAX_CONFIG_BYTES: Final = 4_000_000
"""More than any config file may have; the readers say what a file of that size gets."""
MAX_FINDINGS: Final = 50
"""Findings in one message; more would not be read."""


def write_tenant_config(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Write a config file, and return `{"path", "size", "backup"}`; backup is null for a new one.

    Raises:
        ToolError: TM517, the user may not; TM520, the content is refused, with every finding.
        SecurityError: TM518, the path leaves the tenant or is no config file's.
    """
    path, segments = _begin(args, context, "writing config")
    data = _encoded(args["content"])
    old = _old(context, segments)
    check = ConfigCheck(context.root, context.tenant, "/".join(in_tenant(context, *segments)))
    if findings := check.findings(data):
        raise _refused(path, findings)
    _keep_powers(check.settings_with(old), check.settings_with(data), may_drop_writers=False)
    backup = _backup_path(context, segments, old)
    result = {"path": path, "size": len(data), "backup": backup}
    if context.dry_run:
        context.log("success", "dry run: checked, nothing was written", {"path": path})
        return {**result, "backup": None, "dry_run": True}
    _back_up(context, backup, old)
    write_atomic(context.root, in_tenant(context, *segments), data)
    context.log("success", "config written", {"path": path, "backup": backup})
    return result


def delete_tenant_config(args: Mapping[str, Any], context: BuiltinContext) -> Json:
    """Delete a config file, and return `{"path", "deleted", "backup"}`.

    Raises:
        ToolError: TM517, the user may not; TM501, there is no such file.
        SecurityError: TM518, the path leaves the tenant or is no config file's.
    """
    path, segments = _begin(args, context, "deleting config")
    old = _old(context, segments)
    if old is None:
        known = sorted(list_files(context.folder).files)
        raise invalid("path", f"there is no config file {path!a}{did_you_mean(path, known)}")
    check = ConfigCheck(context.root, context.tenant, "/".join(in_tenant(context, *segments)))
    before, after = check.settings_with(old), check.settings_with(None)
    _keep_powers(before, after, may_drop_writers=True)
    if _writers(before) != _writers(after):
        context.log("warning", "settings.config_writers goes with it: nobody can write any more")
    if context.dry_run:
        context.log("success", "dry run: checked, nothing was deleted", {"path": path})
        return {"path": path, "deleted": False, "backup": None, "dry_run": True}
    backup = _backup_path(context, segments, old)
    _back_up(context, backup, old)
    remove_file(context.root, in_tenant(context, *segments))
    context.log("success", "config deleted", {"path": path, "backup": backup})
    return {"path": path, "deleted": True, "backup": backup}


def _begin(
    args: Mapping[str, Any], context: BuiltinContext, what: str
) -> tuple[str, tuple[str, ...]]:
    """Check who asks and what for, and return the path and its segments in the tenant."""
    context.log("info", what, {"path": args["path"], "user": context.user_id})
    _refuse_stranger(context)
    segments = _config_segments(args["path"])
    return "/".join(segments), segments


def _refuse_stranger(context: BuiltinContext) -> None:
    """Refuse users who are not listed, and calls without a user.

    Raises:
        ToolError: TM517.
    """
    if context.user_id is not None and context.user_id in _writers(context.settings):
        return
    user = context.user_id
    who = "no user is named" if user is None else f"user {user!r:.80} is not listed"
    raise ToolError(
        f"only users listed in settings.config_writers may change config; {who}",
        code="TM517",
        hint="someone with access to the files can add the user there (on the command line the "
        "user is named with --user)",
    )


def _writers(settings: Mapping[str, Any]) -> frozenset[str]:
    """Return who may change config; anything but a list of texts names nobody."""
    listed = settings.get("config_writers")
    names = listed if isinstance(listed, list) else []
    return frozenset(name for name in names if isinstance(name, str) and name)


def _config_segments(path: str) -> tuple[str, ...]:
    """Return the segments of a config file's path in the tenant's folder.

    Raises:
        SecurityError: TM518.
    """
    segments = check_path(path)
    if not segments or not segments[-1].endswith(CONFIG_ENDINGS):
        raise SecurityError(
            f"{path!a} is no config file: its name ends in {', '.join(CONFIG_ENDINGS)}",
            code="TM518",
            hint="writeFile writes other files, into files/",
        )
    # Lower case: on a disk that ignores case `Files` is the same folder.
    if segments[0].lower() in RUNTIME_FOLDERS or "__pycache__" in segments:
        raise SecurityError(
            f"{path!a} lies in {segments[0]}/, where config is never read from",
            code="TM518",
            hint="the path counts from the tenant's folder: tools/getOrder.yaml",
        )
    return segments


def _encoded(content: str) -> bytes:
    try:
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        raise invalid("content", "content holds half of a character") from error


def _old(context: BuiltinContext, segments: tuple[str, ...]) -> bytes | None:
    """Return what the file holds now; None where it is new.

    Raises:
        SecurityError: TM518, something else than a plain file has its name, or a link is on
            the way.
    """
    place = in_tenant(context, *segments)
    if file_size(context.root, place) is None:
        return None
    return read_bytes(context.root, place, limit=MAX_CONFIG_BYTES)


def _refused(path: str, findings: Sequence[Detail]) -> ToolError:
    """Return the error that names every finding."""
    told = [f"{found.path} {found.message}" for found in findings[:MAX_FINDINGS]]
    if len(findings) > MAX_FINDINGS:
        told.append(f"and {len(findings) - MAX_FINDINGS} more")
    count = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
    return ToolError(
        f"{path} was refused and not written, {count}: {'; '.join(told)}",
        code="TM520",
        hint="mend the content by the findings and write it again; tm explain CODE tells more",
        details=findings[:MAX_FINDINGS],
    )


def _keep_powers(
    before: Mapping[str, Any], after: Mapping[str, Any], *, may_drop_writers: bool
) -> None:
    """Refuse a change that would give its author, or the code it holds, more rights.

    Raises:
        ToolError: TM517.
    """
    old, new = _writers(before), _writers(after)
    if new - old or (new != old and not may_drop_writers):
        raise _powers("config_writers")
    if before.get("isolate") is True and after.get("isolate") is not True:
        raise _powers("isolate")


def _powers(setting: str) -> ToolError:
    return ToolError(
        f"settings.{setting} can't be changed by this tool, only by someone with access to the "
        "files",
        code="TM517",
        hint=f"leave settings.{setting} as it is",
    )


def _backup_path(
    context: BuiltinContext, segments: tuple[str, ...], old: bytes | None
) -> str | None:
    """Return where the old content is to be kept, below the tenant's folder."""
    if old is None:
        return None
    return "/".join((BACKUPS, f"{context.now():%Y%m%dT%H%M%S.%fZ}", *segments))


def _back_up(context: BuiltinContext, path: str | None, old: bytes | None) -> None:
    """Keep the old content.

    Raises:
        SecurityError: TM518, it can't be kept; then nothing else may be written.
    """
    if path is None or old is None:
        return
    try:
        create_file(context.root, in_tenant(context, *path.split("/")), old)
    except FileExistsError as error:
        raise SecurityError(f"there is a backup {path!a} already", code="TM518") from error
