"""The corpus without the scan, in locked workers: what can be seen of it from outside."""

import ast
import json
import os
import socket
from pathlib import Path

import pytest

from tests.security.guard_corpus import functions
from tests.tenant_functions import parse_only
from tm.errors import TmError
from tm.runner.homes import FunctionHomes
from tm.runner.isolation.lock import why_not
from tm.runner.workspace import RunOptions, Workspace

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"no lock here: {why_not()}")

OWN = Path(__file__).parents[1] / "data" / "scan"
SHARED = Path(__file__).parents[3] / "shared" / "security" / "corpus"
CORPUS = SHARED if SHARED.is_dir() else OWN
CONFIG = """
apis:
  erp: {base_url: "http://127.0.0.1:9/api"}
tools:
"""


def tools_yaml(folder):
    """One tool for each function that a file of the corpus names, with its role alone."""
    lines, names = [CONFIG], []
    for file in sorted((folder).glob("*.py")):
        try:
            found = list(functions(file.read_bytes()))
        except (SyntaxError, ValueError):
            continue
        for role, function in found:
            name = f"{file.stem}_{role}"
            if not function.isidentifier() or name in names:
                continue
            names.append(name)
            api = "" if role == "handler" else ", api: erp, method: POST, path: /x"
            lines.append(
                f"  {name}: {{description: D., {role}: ../{folder.name}/{file.name}:{function}, "
                f"max_seconds: 5, response_fixture: {{}}, args_fixture: {{}}{api}}}\n"
            )
    return "".join(lines), names


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Return a function that makes a workspace of a folder of the corpus."""
    opened = []
    monkeypatch.setenv("ERP_TOKEN", "tok-1234567890")

    def build(kind):
        tenant = tmp_path / "root" / "tenants" / "acme"
        (tenant / kind).mkdir(parents=True)
        for file in (CORPUS / kind).glob("*.py"):
            (tenant / kind / file.name).write_bytes(file.read_bytes())
        text, names = tools_yaml(tenant / kind)
        (tenant / "tools").mkdir()
        (tenant / "tools" / "all.yaml").write_text(text)
        made = Workspace(tmp_path / "root", environ={}, cache_dir=tmp_path / "cache")
        made._functions = FunctionHomes(made.root, scan=parse_only)
        opened.append(made)
        return made, names

    yield build
    for made in opened:
        made.close()


def outcome(workspace, name, *, isolate=True):
    try:
        report = workspace.run_tool("acme", name, {}, RunOptions(isolate=isolate, dry_run=True))
    except TmError as error:
        return error.code, None
    return (report.error.code if report.error else "ok"), report.result


def state(folder):
    """Every file below a folder with its content."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def processes():
    """Ids of all processes below this one."""
    found, todo = set(), [os.getpid()]
    while todo:
        for path in Path(f"/proc/{todo.pop()}/task").glob("*/children"):
            for pid in map(int, path.read_text().split()):
                found.add(pid)
                todo.append(pid)
    return found


def test_no_bad_file_has_an_effect_outside(corpus, tmp_path):
    workspace, names = corpus("bad")
    assert len(names) >= 100
    canaries = tmp_path / "canaries"
    canaries.mkdir()
    (canaries / "secret.txt").write_text("canary-4711")
    tenants = tmp_path / "root" / "tenants"
    before = state(canaries), state(tenants), set(Path("/tmp").iterdir())
    others = processes()  # servers of other tests
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0)
    codes = {}
    for name in names:
        codes[name], result = outcome(workspace, name)
        assert "canary-4711" not in json.dumps(result)
        assert "tok-1234567890" not in json.dumps(result)
    assert state(canaries) == before[0]
    assert state(tenants) == before[1]
    assert not any("tm_probe" in path.name for path in set(Path("/tmp").iterdir()) - before[2])
    with pytest.raises(BlockingIOError):
        listener.accept()
    listener.close()
    workspace.close()
    assert processes() - others == set()
    # Most are refused inside, too; none takes anything but its own run down.
    assert "TM502" not in codes.values()
    refused = [code for code in codes.values() if code != "ok"]
    assert len(refused) >= 0.8 * len(codes)


def test_good_files_end_as_they_do_without_a_worker(corpus):
    workspace, names = corpus("good")
    assert len(names) >= 50
    for name in names:
        if "random" not in name and "uuid" not in name:
            local = outcome(workspace, name, isolate=False)
            assert (name, *outcome(workspace, name)) == (name, *local)


def test_every_file_of_the_corpus_parses_or_is_left_out():
    for file in (CORPUS / "good").glob("*.py"):
        ast.parse(file.read_bytes())
