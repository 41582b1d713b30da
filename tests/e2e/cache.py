"""Virtual environments and databases that the end-to-end tests keep between runs.

What lives here: where they are, how they are made once, by one process at a time. What must not:
anything that knows which server is started from them.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

# Read on import: the tests themselves run with every TM_ variable removed.
FOLDER = Path(os.environ.get("TM_TEST_CACHE") or Path.home() / ".cache" / "tm-tests")


class ServerSetupError(Exception):
    """A server that the end-to-end tests need could not be installed or started."""


def key_of(*parts: str | bytes) -> str:
    """Return a short name for content: equal parts, equal name."""
    digest = hashlib.sha256(sys.version.encode())
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else part)
        digest.update(b"\0")
    return digest.hexdigest()[:16]


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Let one process at a time work on `name`; the others wait."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the cached folder `name`, made by `make` if it is not there yet.

    It is made under its final path, since virtual environments hold their own path; a marker that
    is written last tells a finished folder from one whose making was interrupted.
    """
    folder = FOLDER / name
    done = folder / ".done"
    with locked(name):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            make(folder)
            done.touch()
    return folder


def environment(name: str, requirements: Sequence[str]) -> Path:
    """Return the `bin` folder of a virtual environment that has the requirements.

    Raises:
        ServerSetupError: the package registry can't be reached or lacks one of them.
    """

    def make(folder: Path) -> None:
        run([sys.executable, "-m", "venv", str(folder)], f"make the virtual environment for {name}")
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        run(
            [*pip, "--disable-pip-version-check", *requirements],
            f"install {name} from the package registry (these tests need it, and nothing else "
            f"from the network)",
        )

    return made_once(f"{name}-{key_of(*requirements)}", make) / "bin"


def run(argv: Sequence[str], what: str, *, cwd: Path | None = None, **env: str) -> str:
    """Run a command and return its stdout.

    Raises:
        ServerSetupError: it failed; the message says what it was for and how it ended.
    """
    with tempfile.TemporaryFile("w+") as out:
        done = subprocess.run(
            argv,
            cwd=cwd,
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=600,
        )
        out.seek(0)
        text = out.read()
    if done.returncode:
        tail = "\n".join(text.strip().splitlines()[-15:])
        raise ServerSetupError(f"could not {what}: exit {done.returncode}\n{tail}")
    return text
