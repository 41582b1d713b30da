"""What other programs import: a few lines, as the README shows them, and from many threads."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tm
from tests.conftest import ROOT, command_environment
from tm import Chat, RunOptions, TmError, Workspace, read_script


@pytest.fixture
def shop(demo, tmp_path):
    with Workspace(demo, environ={}, cache_dir=tmp_path / "cache") as made:
        yield made


def test_every_public_name_loads_and_no_other():
    for name in tm.__all__:
        assert getattr(tm, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Runner'"):
        tm.Runner  # noqa: B018  asking is the test


def test_the_program_of_the_readme_runs(demo, tmp_path):
    (text,) = re.findall(
        r"^```python\n(# shop_service\.py\n.*?)^```$",
        (ROOT / "README.md").read_text(),
        re.MULTILINE | re.DOTALL,
    )
    (demo / "shop_service.py").write_text(text)
    env = command_environment(tmp_path, {"PYTHONPATH": os.pathsep.join([str(ROOT)])})
    done = subprocess.run(
        [sys.executable, "shop_service.py"], cwd=demo, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()[:2]
    assert first == "True 9.02 None"
    assert second


def test_many_threads_share_one_workspace(shop):
    seen: list[str] = []

    def run(number: int) -> float:
        arguments = {"net": number, "rate": "standard"}
        report = shop.run_tool("demo", "calculateTax", arguments, sink=lambda e: seen.append("x"))
        assert report.ok, report.error
        return report.result["net"]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(1, 41))) == list(range(1, 41))
    rows = [row for row in shop.log.entries(_all_rows()) if row.tool_name == "calculateTax"]
    assert len(rows) == 40
    assert len(seen) >= 40


def _all_rows():
    from tm.store.rows import Filters

    return Filters(tenant="demo", limit=1000)


def test_a_run_that_fails_is_a_report_and_what_can_not_begin_is_raised(shop):
    report = shop.run_tool("demo", "calculateTax", {"net": "x"})
    assert (report.ok, report.error.code) == (False, "TM501")
    with pytest.raises(TmError, match="did you mean 'calculateTax'"):
        shop.run_tool("demo", "calculateTaxes")


def test_chats_of_several_threads_stay_apart(shop, demo):
    script = demo / "tenants/demo/chats/invoice.jsonl"

    def ask(number: int) -> tuple[str, int]:
        options = RunOptions(chat_id=f"c-{number}")
        with Chat(shop, "demo", "support", options=options, model=read_script(script)) as chat:
            transcript = chat.ask("What is on INV-2026-001?")
            return transcript.answer, len(transcript.messages)

    with ThreadPoolExecutor(4) as pool:
        answers = set(pool.map(ask, range(8)))
    assert len(answers) == 1


def test_it_is_awaited_in_a_server_with_asyncio(shop):
    async def both():
        call = asyncio.to_thread
        arguments = {"net": 1, "rate": "standard"}
        return await asyncio.gather(
            *(call(shop.run_tool, "demo", "calculateTax", arguments) for _ in range(3))
        )

    assert all(report.ok for report in asyncio.run(both()))


def test_importing_it_costs_next_to_nothing():
    words = [sys.executable, "-c", "import sys, tm; print(len(sys.modules))"]
    bare = [sys.executable, "-c", "import sys; print(len(sys.modules))"]
    env = {**os.environ, "PYTHONPATH": str(Path(ROOT))}
    counts = [
        int(subprocess.run(line, env=env, capture_output=True, check=True).stdout)
        for line in (words, bare)
    ]
    assert counts[0] - counts[1] <= 4
