"""Writes named cases of a tool into the file that declares it."""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from tm.config.edit.file import changed
from tm.config.reader import read_source
from tm.config.source import MAX_FILE_BYTES
from tm.confine import machine_reason, read_bytes, write_atomic
from tm.errors import ConfigError, Location, SecurityError, UsageError
from tm.model import BUILTIN, SHARED, Json, Tool

_ORDER: Final = ("name", "args", "expect", "status", "error", "max_ms")


def write_fixture_value(root: Path, tool: Tool, case: str, field: str, value: Json) -> str:
    """Put a field of a named case into its tool's file; comments, order and the rest stay.

    Parts of the value that stand there already are not touched. Where the cases come from the
    tool that this one extends, they are copied into the tool's own file first.

    Args:
        case: name of a case that the tool has.
        field: such as `expect`.

    Returns:
        The file's path relative to the root.

    Raises:
        UsageError: no such case; the tool is a shared one; the file can't be written.
        ConfigError: the file can't be changed safely.
    """

    def put(cases: list[dict[str, Any]]) -> None:
        found = next((item for item in cases if item.get("name") == case), None)
        if found is None:
            raise UsageError(f"tool '{tool.name}' has no case '{case}'", code="TM502")
        found[field] = value

    return _change(root, tool, put)


def add_fixture(root: Path, tool: Tool, fixture: Mapping[str, Any]) -> str:
    """Add a named case behind those that the tool has; returns and raises as above."""
    ordered = {key: fixture[key] for key in _ORDER if key in fixture}
    return _change(root, tool, lambda cases: cases.append(ordered))


def _change(root: Path, tool: Tool, change: Callable[[list[dict[str, Any]]], None]) -> str:
    if tool.home == BUILTIN:
        raise UsageError(
            f"'{tool.name}' is one of tm's own tools: there is no file to write a case into",
            code="TM500",
            hint=f"make a tool of tenants/{tool.tenant} that calls it, and run that",
        )
    if tool.home == SHARED and tool.tenant != SHARED:
        raise UsageError(
            f"'{tool.name}' is a shared tool: a case in its file would be every tenant's",
            code="TM500",
            hint=f"make a tool of tenants/{tool.tenant} that extends it, and run that",
        )
    path = tool.at.path
    data = _bytes(root, path)
    wanted = deepcopy(dict(read_source(data, path).data))
    try:
        fields = wanted["tools"][tool.name]
    except KeyError as error:
        raise ConfigError(
            f"tool '{tool.name}' is not in {path} any more", code="TM502", at=tool.at
        ) from error
    cases = deepcopy(list(fields.get("fixtures", tool.declared.get("fixtures", ()))))
    change(cases)
    fields["fixtures"] = cases
    _write(root, path, changed(data, path, wanted))
    return path


def _bytes(root: Path, path: str) -> bytes:
    """Return a config file's bytes.

    Raises:
        ConfigError: TM902, it went, or a link took its place.
    """
    try:
        # As segments: the name was found in its folder, so its text is as it is.
        return read_bytes(root, tuple(path.split("/")), limit=MAX_FILE_BYTES)
    except SecurityError as error:
        raise ConfigError(
            f"the file can't be read: {error.message}", code="TM902", at=Location(path)
        ) from error


def _write(root: Path, path: str, data: bytes) -> None:
    tenants, home, relative = path.split("/", 2)
    mode = stat.S_IMODE((root / path).lstat().st_mode)
    try:
        write_atomic(root / tenants / home, relative, data, mode=mode)
    except (SecurityError, OSError) as error:
        why = machine_reason(error) or str(error)
        raise UsageError(f"{path} can't be written: {why}", code="TM500") from error
