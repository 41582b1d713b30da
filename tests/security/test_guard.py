"""Layer 2 alone: what it stops of the bad corpus, and that it breaks nothing good."""

import ast
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.security.guard_programs import LEGAL
from tests.tenant_functions import Workshop, handler, parse_only
from tm.errors import ConfigError, ToolError
from tm.runner.calls import call_function
from tm.runner.results import to_json
from tm.scan import scan_source

CORPUS = Path(__file__).parents[1] / "data" / "scan"
PROGRAM = """
import sys
from pathlib import Path
from tests.security.guard_programs import run_all
from tests.tenant_functions import parse_only
for name, outcome in run_all(Path(sys.argv[1]), parse_only).items():
    print("FAILED" if isinstance(outcome, Exception) else "fine", name, str(outcome)[:300])
"""


@pytest.mark.parametrize("scan", [parse_only, scan_source])
@pytest.mark.parametrize("name", LEGAL)
def test_legal_code_runs(tmp_path, name, scan):
    before, body = LEGAL[name]
    assert Workshop(tmp_path, scan).run(handler(body, before))


def test_legal_code_runs_where_every_import_is_the_first(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM, str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert [line for line in lines if not line.startswith("fine ")] == []
    assert len(lines) == len(LEGAL)


def test_warning_of_the_library_is_shown_and_not_refused(tmp_path):
    source = handler('return re.compile("[[x]").pattern', "import re")
    program = (
        "import sys; from pathlib import Path; from tests.tenant_functions import *\n"
        f"print(Workshop(Path(sys.argv[1])).run({source!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[[x]\n"
    assert "FutureWarning: Possible nested set" in done.stderr


# -- the corpus


def outcomes(folder, tmp_path):
    """Run a folder of the corpus without the scan; return the files' codes by name."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "tests.security.guard_corpus", str(CORPUS / folder)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_the_guard_alone_stops_most_of_the_bad_corpus(tmp_path):
    codes = outcomes("bad", tmp_path)
    passed = sorted(name for name, code in codes.items() if code == "ok")
    assert len(codes) >= 200
    assert "died" not in codes.values()
    assert len(passed) <= 0.05 * len(codes), passed


def test_what_the_guard_alone_lets_through_has_no_effect_outside(tmp_path):
    """Reading attributes of the interpreter is the scan's part; acting on what they give is not."""
    codes = outcomes("bad", tmp_path)
    kinds = {
        entry["file"]: entry["kind"] for entry in json.loads((CORPUS / "bad.json").read_text())
    }
    acting = {"write", "read", "network", "import"}
    assert [n for n, code in codes.items() if code == "ok" and kinds[n] in acting] == []
    assert not (tmp_path / "tm_probe").exists()


def test_the_guard_breaks_nothing_of_the_good_corpus(tmp_path):
    codes = outcomes("good", tmp_path)
    assert len(codes) >= 70
    assert {name: code for name, code in codes.items() if code != "ok"} == {}


def good_siblings():
    text = (CORPUS / "siblings_good.txt").read_text(encoding="utf-8")
    cases = [case.partition("\n") for case in text.split("### ")[1:]]
    return {name.strip(): source for name, _, source in cases}


@pytest.mark.parametrize("name", good_siblings())
def test_the_guard_raises_no_alarm_for_good_code(tmp_path, name):
    shop = Workshop(tmp_path, parse_only)
    shop.write("acme/helpers.py", "def x():\n    return 1\n")
    source = good_siblings()[name]
    shop.write("acme/a.py", source + "\n\ndef loaded(results, args, ctx):\n    return 1\n")
    names = [node.name for node in ast.parse(source).body if has_shape_of_handler(node)]
    for function in ["loaded", *names]:
        # What these make of empty arguments is theirs; only an alarm (SecurityError) is wrong.
        with contextlib.suppress(ToolError, ConfigError):
            fn = shop.load(name=function)
            call_function(fn, {}, {}, {}, ref=shop.ref(name=function), convert=to_json)


def has_shape_of_handler(node):
    return isinstance(node, ast.FunctionDef) and len(node.args.args) == 3
