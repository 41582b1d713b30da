"""The recipes for CI in the README: they parse, and their commands do what they promise."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import COMMAND, ROOT, TmCommand, command_environment

README = (ROOT / "README.md").read_text(encoding="utf-8")


def recipe(name: str) -> dict[str, Any]:
    text = re.search(rf"```yaml\n# {re.escape(name)}\n(.*?)```", README, re.DOTALL)
    assert text, name
    found: dict[str, Any] = yaml.load(text[1], yaml.BaseLoader)
    return found


def github_lines(job: str) -> Iterator[str]:
    for step in recipe(".github/workflows/tools.yml")["jobs"][job]["steps"]:
        if step.get("run", "").startswith("tm "):
            yield step["run"]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "tenants", tmp_path / "tenants")
    return tmp_path


def test_github_lint_line_is_clean_on_the_demo(tm_command: TmCommand, demo: Path) -> None:
    for line in github_lines("lint"):
        assert tm_command(*line.split()[1:], cwd=demo).code == 0


def test_github_parts_run_each_case_once_and_leave_one_report_each(
    tm_command: TmCommand, demo: Path
) -> None:
    [line] = github_lines("smoke")
    parts = recipe(".github/workflows/tools.yml")["jobs"]["smoke"]["strategy"]["matrix"]["part"]
    for part in parts:
        words = line.replace("${{ matrix.part }}", part).split()[1:]
        assert tm_command(*words, cwd=demo).code == 0
    assert cases_in(*(demo / f"smoke-{part}.xml" for part in parts)) == all_cases(tm_command, demo)


def run_in_shell(lines: list[str], root: Path, **variables: str) -> int:
    path = os.pathsep.join([str(COMMAND.parent), os.environ["PATH"]])
    env = command_environment(root / "home", {**variables, "PATH": path})
    return subprocess.run(
        ["sh", "-ec", "\n".join(lines)], cwd=root, env=env, check=False
    ).returncode


def test_gitlab_lines_run_in_a_shell(tm_command: TmCommand, demo: Path) -> None:
    jobs = recipe(".gitlab-ci.yml")
    assert run_in_shell(jobs["lint"]["script"], demo) == 0
    assert (demo / jobs["lint"]["artifacts"]["reports"]["codequality"]).exists()
    count = int(jobs["smoke"]["parallel"])
    reports = []
    for part in range(1, count + 1):
        node = {"CI_NODE_INDEX": str(part), "CI_NODE_TOTAL": str(count)}
        assert run_in_shell(jobs["smoke"]["script"], demo, **node) == 0
        report = demo / jobs["smoke"]["artifacts"]["reports"]["junit"]
        reports.append(report.rename(demo / f"part-{part}.xml"))
    assert cases_in(*reports) == all_cases(tm_command, demo)


def cases_in(*reports: Path) -> list[str]:
    found = [case for path in reports for case in ET.parse(path).iter("testcase")]
    return sorted(f"{case.get('classname')} {case.get('name')}" for case in found)


def all_cases(tm_command: TmCommand, root: Path) -> list[str]:
    tm_command("test-tool", "--all", "--replay", "--junit", "all.xml", cwd=root)
    return cases_in(root / "all.xml")
