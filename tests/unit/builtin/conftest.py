"""A tenant for the shared tools to work on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tm.builtin.context import BuiltinContext
from tm.builtin.functions import run_builtin
from tm.builtin.tools import builtin_tool
from tm.model import Json
from tm.redact import Redactor
from tm.schema.arguments import check_arguments

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
WRITER = "ada@example.com"


class Shop:
    """One tenant, called as the runner calls its tools: arguments validated, defaults filled."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "tenants" / "shop"
        self.files = self.folder / "files"
        self.lines: list[tuple[str, str, Mapping[str, Any]]] = []
        self.settings: dict[str, Any] = {"config_writers": [WRITER]}
        self.calls = 0
        self.folder.mkdir(parents=True)

    def call(
        self, name: str, *, dry_run: bool = False, user: str | None = WRITER, **args: Any
    ) -> Json:
        tool = builtin_tool(name, "shop")
        checked = check_arguments(tool.parameters, args, at=tool.at)
        assert checked.failures == ()
        self.calls += 1

        def now() -> datetime:
            return NOON + timedelta(seconds=self.calls)

        def log(level: str, message: str, context: Mapping[str, Any] | None = None, /) -> None:
            self.lines.append((level, message, context or {}))

        context = BuiltinContext(
            root=self.root,
            tenant="shop",
            user_id=user,
            settings=self.settings,
            dry_run=dry_run,
            now=now,
            redactor=Redactor([]),
            log=log,
        )
        return run_builtin(name, checked.args, context)

    def write(self, path: str, content: str | bytes) -> Path:
        """Put a file into the tenant's folder by hand."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def levels(self) -> list[str]:
        return [level for level, _, _ in self.lines]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


@pytest.fixture
def tree() -> Callable[[Path], dict[str, bytes]]:
    """Return a function that gives everything below a folder, to see that nothing changed."""

    def read(folder: Path) -> dict[str, bytes]:
        files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    return read
