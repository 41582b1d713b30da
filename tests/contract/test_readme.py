"""The README says what the program does: its lines, tables and sessions are checked here."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT, Finished
from tests.contract.readme_tables import with_tables
from tm import errors
from tm.cli.overview import MODULES
from tm.config.fields import API_FIELDS, TOOL_FIELDS
from tm.lint.settings import KEYS, read_settings
from tm.runner.ctx_type import Ctx

README = (ROOT / "README.md").read_text()
FIRST_LINE = (
    "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/tm test-tool getInvoice"
)
CHECK_LINE = (
    "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m tests"
)
OVERRIDES = {"timeout", "retry", "max_response_bytes", "follow_redirects", "pagination"}


def section(title: str) -> str:
    """Return the text below a heading, down to the next one."""
    found = re.search(
        rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", README, re.MULTILINE | re.DOTALL
    )
    assert found, f"no section {title!r}"
    return found[1]


def names_in_table(text: str) -> set[str]:
    """Return every `name` in the first column of a table."""
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def blocks(kind: str) -> list[str]:
    """Return the fenced blocks of one kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_two_lines_stand_alone_in_their_blocks():
    assert [block.strip() for block in blocks("sh")[:2]] == [FIRST_LINE, CHECK_LINE]


def test_ci_runs_the_line_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text()
    pattern = re.search(r"grep -E '([^']+)' README\.md", script)
    assert pattern
    found = subprocess.run(
        ["grep", "-E", pattern[1], str(ROOT / "README.md")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.splitlines() == [CHECK_LINE]


def test_parts_come_in_the_order_of_a_newcomers_questions():
    titles = re.findall(r"^## (.+)$", README, re.MULTILINE)
    assert titles == [
        "Install",
        "Your first tool in five minutes",
        "Commands",
        "Exit codes",
        "Dry run, record, replay",
        "Scheduled tasks",
        "Smoke-test many tools",
        "Lint",
        "Config reference",
        "Codes",
        "Chat",
        "PDFs in arguments",
        "Knowledge",
        "Shared tools",
        "From another program",
        "Log and privacy",
        "Security model",
        "Troubleshooting",
        "Speed",
        "Not yet",
        "Contributing",
    ]


def test_commands_table_has_every_command_and_no_other():
    named = re.findall(r"^\| `tm ([a-z-]+)", section("Commands"), re.MULTILINE)
    assert set(named) == set(MODULES)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_command_explains_itself(tm_command, tmp_path, name):
    done = tm_command(name, "--help", cwd=tmp_path)
    assert done.code == 0
    assert f"tm {name}" in done.stdout


def flags(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def test_flags_named_in_the_command_table_are_the_commands_own(tm_command, tmp_path):
    rows = re.findall(r"^\| `tm ([a-z-]+)(.*)$", section("Commands"), re.MULTILINE)
    for command, row in rows:
        known = flags(tm_command(command, "--help", cwd=tmp_path).stdout)
        assert flags(row) - known == set(), command


def test_flags_named_for_test_tool_exist(tm_command, tmp_path):
    text = re.sub(r"^\|.*$", "", section("Commands"), flags=re.MULTILINE)
    text += section("Dry run, record, replay")
    known = tm_command("test-tool", "--help", cwd=tmp_path).stdout
    assert flags(text) - flags(known) == set()


def lint_part() -> str:
    """Return the part about lint, with its sections."""
    return README.partition("\n## Lint\n")[2].partition("\n## ")[0]


def test_lint_says_what_the_readme_shows(tm_command, workspace):
    tool = "description: Find a deal.\n    parameters: {type: object}\n    args_fixture: {}\n"
    text = (
        'apis:\n  crm: {base_url: "https://crm.example.com/v2"}\ntools:\n  findDeal:\n    '
        f"{tool}    method: GET\n    api: crm2\n    path: /deals\n"
    )
    root = workspace({"tenants/shop/tools/deals.yaml": text})
    done = tm_command("lint", "--select", "TM106", cwd=root)
    assert done.stdout == blocks("text")[0]


def test_flags_named_for_lint_exist(tm_command, tmp_path):
    known = tm_command("lint", "--help", cwd=tmp_path).stdout
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", lint_part()))
    assert named
    assert {flag for flag in named if flag not in known} == set()


def test_lint_settings_of_the_readme_are_read(tmp_path):
    (block,) = blocks("toml")
    (tmp_path / "pyproject.toml").write_text(block)
    settings = read_settings(tmp_path)
    assert settings.allow[0].line == 7
    assert set(re.findall(r"^(\w+) =", block, re.MULTILINE)) == set(KEYS)


def test_snippets_for_other_systems_are_yaml_and_call_lint():
    snippets = re.findall(r"^```yaml\n(.*?)^```$", lint_part(), re.MULTILINE | re.DOTALL)
    documents = [yaml.safe_load(text) for text in snippets]
    assert documents[1]["repos"][0]["hooks"][0]["id"] == "tm-lint"
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["tm-lint"]
    assert "tm lint --format github" in str(documents[2])
    assert set(documents[3]["lint"]["artifacts"]["reports"]) == {"codequality", "junit"}


def test_codes_table_is_made_from_the_pages():
    remedy = "write it again: python -m tests.contract.readme_tables"
    assert with_tables(README) == README, remedy


def test_exit_codes_are_those_of_the_program():
    named = set(re.findall(r"^\| (\d+) \|", section("Exit codes"), re.MULTILINE))
    declared = {value for name, value in vars(errors).items() if name.startswith("EXIT_")}
    assert {int(code) for code in named} == declared


def test_tool_fields_are_all_described():
    assert names_in_table(section("Tools")) >= set(TOOL_FIELDS)
    assert names_in_table(section("Tools")) - set(TOOL_FIELDS) <= {"FILE:FUNCTION"}


def test_api_fields_are_all_described():
    assert names_in_table(section("Apis")) == set(API_FIELDS)


def test_ctx_keys_are_all_described():
    assert names_in_table(section("What a function gets: ctx")) == set(Ctx.__annotations__)


# What differs from run to run: times of day, durations and numbers of log rows.
VOLATILE = (
    (r"\b\d\d:\d\d:\d\d(\.\d+)?\b", "TIME"),
    (r"\b\d+(\.\d+)? ?(ms|s)\b", "SPAN"),
    (r"\blog \d+\b", "LOG"),
)


def steady(text: str) -> str:
    """Return output with what differs from run to run replaced, and spaces evened out."""
    for pattern, word in VOLATILE:
        text = re.sub(pattern, word, text)
    return "\n".join(re.sub(r"\s+", " ", line).strip() for line in text.strip().splitlines())


@pytest.mark.parametrize("block", blocks("console"))
def test_sessions_show_what_the_program_prints(tm_command, demo, block):
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        words = shlex.split(line)
        assert words[0] == "tm"
        done = tm_command(*words[1:], cwd=demo)
        assert steady(done.stderr + done.stdout) == steady(shown)


class QuietFiles(SimpleHTTPRequestHandler):
    """Python's own file server, as the README starts it, without its log."""

    def log_message(self, *args):
        """Keep the test's output clean."""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[str]:
    """Yield the base URL of the README's API, which serves the file that the README writes."""
    written = re.search(r"^echo '(.*)' > api/(\S+)$", README, re.MULTILINE)
    assert written
    (tmp_path / written[2]).write_text(written[1])
    server = HTTPServer(("127.0.0.1", 0), partial(QuietFiles, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


FIRST_TOOL = ["tenants/teashop/prices.py", "tenants/teashop/teas.yaml"]


@pytest.fixture
def first_tool(workspace, shop) -> Path:
    """Return a workspace with the files that the README shows, their server on loopback."""
    shown = {}
    for block in blocks("yaml") + blocks("python"):
        path = re.match(r"# (tenants/\S+)\n", block)
        if path and path[1] in FIRST_TOOL:
            shown[path[1]] = block.replace("http://127.0.0.1:8000", shop)
    assert sorted(shown) == FIRST_TOOL
    return workspace({**shown, "tenants/teashop/.env": "SHOP_TOKEN=any-token-will-do\n"})


def test_first_tool_works_as_the_readme_says(tm_command, first_tool):
    assert "findTea" in tm_command("list", "-t", "teashop", cwd=first_tool).stdout
    assert "teas.yaml" in tm_command("show", "findTea", cwd=first_tool).stdout
    model = json.loads(tm_command("show", "findTea", "--for", "openai", cwd=first_tool).stdout)
    assert "findTea" in json.dumps(model)

    live: Finished = tm_command("test-tool", "findTea", "--curl", "--record", cwd=first_tool)
    assert live.json == {"teas": ["Oolong, dark", "Oolong, light"], "cheapest": 7.5}
    assert "curl" in live.stderr
    assert "any-token-will-do" not in live.output
    assert tm_command("test-tool", "findTea", "--replay", cwd=first_tool).json == live.json


def test_function_of_the_readme_adds_its_field(tm_command, first_tool):
    config = first_tool / "tenants/teashop/teas.yaml"
    config.write_text(config.read_text() + "    postprocess: prices.py:with_tax\n")
    done = tm_command("test-tool", "findTea", "--json", cwd=first_tool)
    assert done.json["result"]["gross"] == 9.0, done.output
