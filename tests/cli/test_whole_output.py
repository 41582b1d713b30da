"""Whole outputs of the real command, compared with files in `golden/`.

`UPDATE_GOLDEN=1 pytest tests/cli` writes the files anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.conftest import Finished, TmCommand, Workspace

GOLDEN = Path(__file__).with_name("golden")

NORMALISED = (
    # Which of several quick runs was the slowest is chance.
    (re.compile(r"(?m)^slowest:\n(?:  .*\n)+"), "slowest: ...\n"),
    (re.compile(r"\d\d:\d\d:\d\d\.\d{3}"), "HH:MM:SS.mmm"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?"), "DATE TIME"),
    (re.compile(r"\d{4}-\d\d-\d\dTHH:MM:SS.mmmZ?"), "DATE TIME"),
    (re.compile(r" *\b[\d.]+ m?s\b"), " N ms"),
    (re.compile(r'"(ms|duration_ms)": [\d.]+'), r'"\1": N'),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:PORT"),
)

FILES = {
    "tenants/depot/apis.yaml": """
        apis:
          erp:
            base_url: "${ERP_URL}/v1"
            auth: {type: bearer, token: "${ERP_TOKEN}"}
        """,
    "tenants/depot/stock.yaml": """
        tools:
          getStock:
            description: |
              Free stock of an article
              in the depot [/b].
            parameters:
              type: object
              properties:
                sku: {type: string, description: Article number.}
                site: {type: string, enum: [north, south], description: Which depot.}
              required: [sku]
            api: erp
            method: GET
            path: /stock/{sku}
            mapping: {sku: sku, free: stock.free}
            args_fixture: {sku: A-1}
            fixtures:
              - name: south
                args: {sku: A-2, site: south}
          addStock:
            description: Adds stock.
            parameters:
              type: object
              properties: {sku: {type: string, description: Article number.}}
              required: [sku]
            api: erp
            method: POST
            path: /stock
            args_fixture: {sku: A-1}
          bare:
            description: No fixture.
            parameters:
              type: object
              properties: {sku: {type: string, description: Article number.}}
              required: [sku]
            api: erp
            method: GET
            path: /stock/{sku}
        """,
    "tenants/depot/report.py": '''
        """Reports."""


        def report(results, args, ctx):
            """Sum up."""
            ctx["logger"].debug("debug [/] line")
            ctx["logger"].info("report starts", {"path": "src/[id].tsx", "who": "Jürgen 世界"})
            found = ctx["tool"]("getStock", {"sku": "A-1"})
            ctx["logger"].warning("two\\nlines \\x1b[31m")
            ctx["logger"].success("report done")
            return {"free": found["free"], "note": "[b]Rabatt[/b]"}


        def quote(results, args, ctx):
            """Divide."""
            ctx["logger"].info("quote starts")
            return {"share": 3 / args["total"]}


        TOTAL = {"total": {"type": "integer", "description": "Offers."}}
        tools = {
            "report": {"description": "A report.", "handler": report, "args_fixture": {}},
            "quote": {
                "description": "Share of won offers.",
                "parameters": {"type": "object", "properties": TOTAL, "required": ["total"]},
                "handler": quote,
                "args_fixture": {"total": 0},
            },
        }
        ''',
    "tenants/depot/broken.yaml": """
        tools:
          broken: {description: Neither api nor handler.}
        """,
    "tenants/kiosk/empty.yaml": """
        tools: {}
        """,
}

CASES = {
    "no-command": "tm",
    "help": "tm --help",
    "help-test-tool": "tm test-tool --help",
    "help-log": "tm log --help",
    "run": "tm test-tool report -t depot -v",
    "run-json": "tm test-tool getStock -t depot --json",
    "run-failed": "tm test-tool quote -t depot",
    "run-bad-arguments": """tm test-tool getStock -t depot --args '{"skuu": 1, "site": "nroth"}'""",
    "run-status-404": "tm test-tool getStock -t depot --arg sku=A-404",
    "run-dry": "tm test-tool addStock -t depot --dry-run --curl",
    "run-case": "tm test-tool getStock -t depot --case south -q",
    "run-several": "tm test-tool 'get*' bare quote broken -t depot",
    "run-several-json": "tm test-tool bare broken -t depot --json",
    "run-broken-file": "tm test-tool broken -t depot",
    "unknown-tool": "tm test-tool getStok -t depot",
    "unknown-tool-json": "tm test-tool getStok -t depot --json",
    "unknown-tenant": "tm test-tool getStock -t dpeot",
    "unknown-option": "tm test-tool getStock --dryrun",
    "unknown-command": "tm test-tol getStock",
    "broken-arguments": "tm test-tool getStock -t depot --args '{sku:A-1}'",
    "list": "tm list -t depot",
    "list-all": "tm list",
    "show": "tm show getStock -t depot",
    "show-for-openai": "tm show getStock -t depot --for openai",
    "lint": "tm lint -t depot",
    "lint-clean": "tm lint -t kiosk",
    "lint-json": "tm lint -t depot --select TM1 --json",
    "lint-statistics": "tm lint -t depot --statistics",
    "lint-github": "tm lint -t depot --format github",
    "lint-gitlab": "tm lint -t depot --select TM105 --format gitlab",
    "lint-sarif": "tm lint -t depot --select TM105 --format sarif",
    "lint-junit": "tm lint -t depot --format junit",
    "lint-unknown-code": "tm lint --select TM1O5",
    "lint-unknown-path": "tm lint tenants/depot/stok.yaml --json",
    "help-lint": "tm lint --help",
    "explain": "tm explain TM502",
    "explain-unknown": "tm explain TM599",
    "log-empty": "tm log -t depot",
    "cache-clear": "tm cache clear",
}


class Erp(BaseHTTPRequestHandler):
    """Answers `/v1/stock/SKU`; A-404 is unknown."""

    def do_GET(self) -> None:
        sku = self.path.split("?")[0].rpartition("/")[2]
        is_known = sku != "A-404"
        found = {"sku": sku, "stock": {"free": 7}} if is_known else {"error": "unknown article"}
        body = json.dumps(found).encode()
        self.send_response(200 if is_known else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def erp_url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Erp) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def normalised(text: str, root: Path) -> str:
    text = text.replace(str(root), "ROOT")
    for pattern, replacement in NORMALISED:
        text = pattern.sub(replacement, text)
    return text


def transcript(line: str, done: Finished, root: Path) -> str:
    out, err = normalised(done.stdout, root), normalised(done.stderr, root)
    return f"$ {line}\nexit {done.code}\n--- stdout\n{out}--- stderr\n{err}"


def compare(name: str, got: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(got, encoding="utf-8")
    assert got == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_whole_output_is_as_it_was(
    name: str, workspace: Workspace, tm_command: TmCommand, erp_url: str
) -> None:
    root = workspace(FILES)
    words = shlex.split(CASES[name])[1:]
    environment = {"ERP_URL": erp_url, "ERP_TOKEN": "tok-9d8f7a6b5c"}
    done = tm_command(*words, cwd=root, env=environment)
    assert "tok-9d8f7a6b5c" not in done.output
    compare(name, transcript(CASES[name], done, root))


def test_a_past_run_is_shown_with_its_nested_run(
    workspace: Workspace, tm_command: TmCommand, erp_url: str
) -> None:
    root = workspace(FILES)
    environment = {"ERP_URL": erp_url, "ERP_TOKEN": "tok-9d8f7a6b5c"}
    tm_command("test-tool", "report", "-t", "depot", "-q", cwd=root, env=environment)
    for name, line in {"log": "tm log -t depot", "log-show": "tm log show 1 -t depot"}.items():
        done = tm_command(*line.split()[1:], cwd=root, env=environment)
        compare(name, transcript(line, done, root))


def test_every_golden_file_has_its_test() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {*CASES, "log", "log-show"}


def test_output_is_the_same_for_every_locale_and_width(
    workspace: Workspace, tm_command: TmCommand, erp_url: str
) -> None:
    root = workspace(FILES)
    environment = {"ERP_URL": erp_url, "ERP_TOKEN": "t0ken-t0ken"}
    posix = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    code_page = {"PYTHONIOENCODING": "cp1252", "COLUMNS": "20"}
    shown = {
        normalised(run.stdout + run.stderr, root)
        for run in (
            tm_command("test-tool", "report", "-t", "depot", cwd=root, env={**environment, **extra})
            for extra in ({}, posix, code_page)
        )
    }
    assert len({re.sub(r"log \d+", "log N", text) for text in shown}) == 1
    assert "Jürgen 世界" in shown.pop()
