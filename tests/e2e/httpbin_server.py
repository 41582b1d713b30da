"""httpbin: answers in every odd way that HTTP allows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.cache import environment
from tests.e2e.process import free_port, running

REQUIREMENTS = ("httpbin==0.10.4", "gunicorn==23.0.0", "setuptools<81")


@contextmanager
def running_httpbin(work: Path) -> Iterator[str]:
    """Run httpbin while the block lasts; the value is its base URL."""
    bin_folder = environment("httpbin", REQUIREMENTS)
    port = free_port()
    argv = [str(bin_folder / "gunicorn"), "-b", f"127.0.0.1:{port}", "-w", "1"]
    argv += ["-k", "gthread", "--threads", "8", "httpbin:app"]
    with running(argv, port, work / "httpbin.log"):
        yield f"http://127.0.0.1:{port}"
