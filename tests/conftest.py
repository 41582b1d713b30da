"""Fixtures for every test: workspaces, the real command, a clean environment, no network."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# In CI the same examples every time: a build must not depend on chance. Elsewhere new ones, so
# that each run of a developer looks further. No deadline: a busy machine is no fault of the code.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("searching", deadline=None)
settings.load_profile("fixed" if os.environ.get("CI") else "searching")

ROOT = Path(__file__).resolve().parents[1]
COMMAND = Path(sys.executable).with_name("tm")
# PYTHONPATH: a second working copy is tested with its own modules, not with the installed ones.
KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "TMPDIR", "PYTHONPATH")
LOOPBACK_NAMES = ("localhost", "::1", "")

Workspace = Callable[..., Path]


@dataclass(frozen=True)
class Finished:
    """How a `tm` process ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.stdout)

    @property
    def output(self) -> str:
        """Both streams, for messages that may come on either."""
        return self.stdout + self.stderr


TmCommand = Callable[..., Finished]


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below `root`; texts lose the indentation that all their lines share."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        is_bytes = isinstance(content, bytes)
        target.write_bytes(content if is_bytes else textwrap.dedent(content).lstrip("\n").encode())
    return root


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Return a function that writes {path: text} as a workspace and returns its root.

    Paths are relative to the root: `tenants/acme/tools/x.yaml`. Calling it again adds files.
    """
    root = tmp_path / "workspace"

    def build(files: Mapping[str, str | bytes] | None = None) -> Path:
        (root / "tenants").mkdir(parents=True, exist_ok=True)
        return write_tree(root, files or {})

    return build


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """Return a workspace that holds a copy of the demo tenant and of the shared tools."""
    for code in ("demo", "_shared"):
        shutil.copytree(ROOT / "tenants" / code, tmp_path / "demo" / "tenants" / code)
    return tmp_path / "demo"


def command_environment(home: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a `tm` process: fixed width, no colour, UTC, its own home."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    fixed = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC", "LANG": "C.UTF-8"}
    homes = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache")}
    return {**kept, **fixed, **homes, **extra}


@pytest.fixture
def tm_command(tmp_path_factory: pytest.TempPathFactory) -> TmCommand:
    """Return a function that runs the installed `tm` in a process of its own.

    `tm_command("test-tool", "getInvoice", cwd=root, env={"ERP_KEY": "k"}, stdin="{}")`.
    """
    home = tmp_path_factory.mktemp("home")
    # These let coverage follow the command into its own process.
    measured = {name: value for name, value in os.environ.items() if name.startswith("COV")}

    def run(
        *words: str,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        timeout_s: float = 60,
    ) -> Finished:
        done = subprocess.run(
            [str(COMMAND), *words],
            cwd=cwd,
            env=command_environment(home, {**measured, **(env or {})}),
            input=stdin.encode(),
            capture_output=True,
            timeout=timeout_s,
            check=False,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the caller's settings out of the tests."""
    for name in [name for name in os.environ if name.startswith("TM_")]:
        monkeypatch.delenv(name)
    for name in ("FORCE_COLOR", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)


def is_loopback(host: object) -> bool:
    """Say whether a host name or address is this machine itself."""
    name = host.decode() if isinstance(host, bytes) else str(host or "")
    return name in LOOPBACK_NAMES or name.startswith("127.")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sockets of this process reach nothing beyond loopback."""
    resolve = socket.getaddrinfo

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if is_loopback(host):
            return resolve(host, *args, **kwargs)
        raise socket.gaierror(socket.EAI_NONAME, f"tests may not look up {host!r}")

    class LoopbackSocket(socket.socket):
        def connect(self, address: Any) -> None:
            self._check(address)
            super().connect(address)

        def connect_ex(self, address: Any) -> int:
            self._check(address)
            return super().connect_ex(address)

        def _check(self, address: Any) -> None:
            if self.family != socket.AF_UNIX and not is_loopback(address[0]):
                raise PermissionError(f"tests may not connect to {address!r}")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(socket, "socket", LoopbackSocket)
