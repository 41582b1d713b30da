"""Live checks: 1,000 GETs beside what others use, and many at once against a slow API."""

import sys
import time
from pathlib import Path

from tests.bench.measure import Command, medians, python, report, tm
from tests.bench.workspaces import answering_server, make_workspace

_CHECKS = 1000

_PYTEST = """
import httpx
import pytest

client = httpx.Client(base_url={url!r})


@pytest.mark.parametrize("number", range({count}))
def test_invoice(number):
    answer = client.get("/invoices/INV-2026-001", params={{"lines": "true"}})
    assert answer.status_code == 200
    data = answer.json()
    assert data["invoice_id"] == "R-1"
    assert data["amounts"]["gross"] == 119.0
    assert data["customer"]["name"] == "Adler"
    assert len(data) == 3
"""

_ASYNCIO = """
import asyncio, httpx
async def main():
    waiting = iter(range({count}))
    async def work():
        async with httpx.AsyncClient(base_url={url!r}) as client:
            for _ in waiting:
                (await client.get("/invoices/1")).json()
    await asyncio.gather(*(work() for _ in range(32)))
asyncio.run(main())
"""


def measure_live(folder: Path) -> None:
    """1,000 checks of one GET each, whole processes, in CPU time."""
    with answering_server() as url:
        root = make_workspace(folder / "live", url, _CHECKS)
        (folder / "test_checks.py").write_text(_PYTEST.format(url=url, count=_CHECKS), "utf-8")
        peer = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_checks.py"]
        ours, theirs = medians(
            Command(tm("test-tool", "getInvoice*", "-q"), root), Command(peer, folder), rounds=1
        )
    report("1,000 live checks", ours, theirs, 0.27, "of pytest + httpx")


def measure_jobs(folder: Path) -> None:
    """Runs a second at --jobs 32 against an API that takes 20 ms, and asyncio's."""
    with answering_server(delay_s=0.02) as url:
        root = make_workspace(folder / "jobs", url, _CHECKS)
        code = _ASYNCIO.format(url=url, count=_CHECKS)
        rates = []
        for command in (
            Command(tm("test-tool", "getInvoice*", "-q", "--jobs", "32"), root),
            Command(python(code), folder),
        ):
            command.run()
            began = time.monotonic()
            command.run()
            rates.append(_CHECKS / (time.monotonic() - began))
    mark = "ok  " if rates[0] >= 0.8 * rates[1] else "over"
    print(
        f"{mark} --jobs 32, 20 ms API: {rates[0]:.0f} a second, asyncio {rates[1]:.0f}", flush=True
    )
