"""The hook that other repositories use, with pre-commit itself and a clone on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT, write_tree
from tests.e2e.cache import environment

pytestmark = pytest.mark.e2e

REQUIREMENT = "pre-commit>=4,<5"
PARTS = ("tm", "README.md", "pyproject.toml", ".pre-commit-hooks.yaml")
GOOD = """
    tools:
      ping:
        description: Says that it is there.
        api: erp
        method: GET
        path: /ping
        args_fixture: {}
    apis:
      erp: {base_url: "https://erp.example.com"}
    """


@pytest.fixture(scope="session")
def pre_commit() -> Path:
    """Return the command."""
    return environment("pre-commit", [REQUIREMENT]) / "pre-commit"


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    command = ["git", *who, "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit_all(folder: Path) -> str:
    """Make a repository of a folder and return its commit."""
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return git(folder, "rev-parse", "HEAD")


def test_the_hook_stops_a_commit_with_findings_and_lets_others_pass(
    pre_commit: Path, tmp_path: Path
) -> None:
    hooks, shop = tmp_path / "hooks", tmp_path / "shop"
    hooks.mkdir()
    for name in PARTS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, hooks / name)
    shutil.rmtree(hooks / "tm" / "__pycache__", ignore_errors=True)
    config = {
        ".pre-commit-config.yaml": f"""
            repos:
              - repo: {hooks}
                rev: {commit_all(hooks)}
                hooks:
                  - id: tm-lint
                    args: [--ignore, TM401]
            """,
        "tenants/shop/ping.yaml": GOOD,
    }
    write_tree(shop, config)
    commit_all(shop)

    def run() -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "cache"), "NO_COLOR": "1"}
        command = [str(pre_commit), "run", "--all-files", "--color", "never"]
        return subprocess.run(
            command, cwd=shop, env=environ, capture_output=True, text=True, check=False
        )

    clean = run()
    assert clean.returncode == 0, clean.stdout + clean.stderr
    (shop / "tenants/shop/ping.yaml").write_text("tools:\n  ping: {api: erp}\n")
    broken = run()
    assert broken.returncode == 1
    assert "tenants/shop/ping.yaml:2:3 TM102" in broken.stdout
