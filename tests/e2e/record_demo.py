"""Record the demo tenant's cassettes again, from a real ERP that holds the demo shop.

    .venv/bin/python -m tests.e2e.record_demo

It starts Tryton on a fresh copy of the shop, runs every case of every tool that has an API with
`--record`, and stops it. The cases run in a fixed order, since some of them write.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import COMMAND, ROOT
from tests.e2e.erp_server import Erp, running_erp

DEMO = ROOT / "tenants" / "demo"
# A newcomer's first own arguments: recorded too, under the names that given arguments get.
GIVEN = (
    ("getInvoice", "id=INV-2026-002"),
    ("getInvoice", "id=INV-2026-003"),
    ("getCustomer", "code=K-1002"),
    ("getCustomer", "code=K-1003"),
    ("customerOverview", "code=K-1002"),
)
READS_FIRST = (
    "getInvoice",
    "getCustomer",
    "listCustomers",
    "customerOverview",
    "createCustomer",
    "updateCustomer",
    "deleteCustomer",
)


def cases(tool: str) -> Iterator[tuple[str, ...]]:
    """Yield the words that choose each case of a tool, its args_fixture first."""
    yield ()
    shown = subprocess.run(
        [str(COMMAND), "show", tool, "-t", "demo", "--json"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    fixtures = json.loads(shown.stdout)["fields"].get("fixtures", {"value": []})["value"]
    for fixture in fixtures:
        yield ("--case", fixture["name"])


def record(erp: Erp, tool: str, case: tuple[str, ...]) -> bool:
    """Record one case; return whether it ended as its fixture says."""
    words = [str(COMMAND), "test-tool", tool, "-t", "demo", *case, "--record", "-q"]
    env = {**os.environ, **erp.env}
    done = subprocess.run(words, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, check=False)
    print("ok    " if done.returncode == 0 else "FAILED", tool, *case)
    return done.returncode == 0


def main() -> int:
    """Record all cassettes; return the exit code."""
    shutil.rmtree(DEMO / "cassettes", ignore_errors=True)
    with tempfile.TemporaryDirectory() as work, running_erp(Path(work)) as erp:
        results = [record(erp, tool, ("--arg", arg)) for tool, arg in GIVEN]
        results += [record(erp, tool, case) for tool in READS_FIRST for case in cases(tool)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
