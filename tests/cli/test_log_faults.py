"""What a person sees when the log can't be written: the result, and one warning."""

from __future__ import annotations

import json
import resource
import subprocess
from pathlib import Path

import pytest

from tests.conftest import COMMAND, Workspace, command_environment

FILES = {
    "tenants/markt/t.py": """
        def big(results, args, ctx):
            ctx["logger"].info("starts")
            ctx["logger"].success("ends")
            return {"text": "x" * 200_000}


        tools = {"big": {"description": "Big.", "handler": big, "args_fixture": {}}}
        """,
}


@pytest.fixture
def shop(workspace: Workspace) -> Path:
    return workspace(FILES)


def run(shop: Path, limit: int) -> subprocess.CompletedProcess[str]:
    """Run the tool where no file may grow past so many bytes: as on a disk that is full then.

    The kernel refuses the write with an error of its own (EFBIG instead of ENOSPC), on the same
    way through SQLite; a disk that is really full takes a mount, which tests may not make.
    """
    return subprocess.run(
        [str(COMMAND), "test-tool", "big", "--json"],
        cwd=shop,
        # Python's own files would be cut off too.
        env=command_environment(shop.parent, {"PYTHONDONTWRITEBYTECODE": "1"}),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )


@pytest.mark.parametrize("limit", [4096, 120_000])
def test_full_disk_costs_one_warning_and_never_the_result(shop: Path, limit: int) -> None:
    for _ in range(2):  # the second one finds what the first one left
        done = run(shop, limit)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["result"] == {"text": "x" * 200_000}
        assert done.stderr.count("warning: ") == 1
        assert ".tm/tm.sqlite3 can't be written" in done.stderr


def test_log_goes_on_where_there_is_room_again(shop: Path) -> None:
    run(shop, 120_000)
    done = run(shop, resource.RLIM_INFINITY)
    assert done.stderr == ""
    assert json.loads(done.stdout)["log_id"] >= 1
