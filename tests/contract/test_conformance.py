"""The black-box cases of the contract, where their folder is beside the project."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.conftest import COMMAND, ROOT

SUITE = ROOT.parent / "shared" / "conformance"
FOLDERS = sorted(path.name for path in (SUITE / "cases").glob("[a-z]*"))

pytestmark = [
    pytest.mark.conformance,
    pytest.mark.skipif(not SUITE.is_dir(), reason="the conformance cases are not on this machine"),
]


@pytest.mark.parametrize("folder", FOLDERS)
def test_cases_of_the_folder_pass(folder):
    words = [sys.executable, str(SUITE / "run"), "--tm", str(COMMAND), "--jobs", "2", "-v"]
    # Some cases call `tm` through a shell, so it has to be on the path too.
    # Coverage's own work in the command would be the guard's and the clock's business.
    unwatched = {k: v for k, v in os.environ.items() if not k.startswith("COV")}
    path = os.pathsep.join([str(COMMAND.parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [*words, str(SUITE / "cases" / folder)],
        env={**unwatched, "PATH": path},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert re.search(r"^\d+ passed, 0 failed, 0 skipped", done.stdout, re.MULTILINE), done.stdout
