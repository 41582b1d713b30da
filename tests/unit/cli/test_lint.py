from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import write_tree
from tests.unit.cli.conftest import InProcess
from tests.unit.lint.samples import UNKNOWN_API

WARNING = """
    tools:
      getGate:
        description: Gate of a truck.
        api: wms
        method: GET
        path: /gates
    """
FILES = {
    "tenants/depot/depot.yaml": """
        apis:
          wms: {base_url: "https://wms.example.com/v1"}
        assistants:
          desk:
            system_prompt: You help.
            model: gpt-5-mini
            provider: main
            tools: [getRoute, getGate]
        settings:
          providers:
            main: {base_url: "https://llm.example.com/v1", api_key: "${LLM_KEY}"}
        """,
    "tenants/depot/tools/getRoute.yaml": UNKNOWN_API,
    "tenants/depot/tools/getGate.yaml": WARNING,
}
ROUTE = ("tenants/depot/tools/getRoute.yaml", 4, "TM106")
GATE = ("tenants/depot/tools/getGate.yaml", 2, "TM110")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a workspace with one error and one warning."""
    return write_tree(tmp_path / "shop", FILES)


def places(document: Any) -> list[tuple[str, int, str]]:
    return [(found["path"], found["line"], found["code"]) for found in document["findings"]]


def test_errors_are_exit_1_and_warnings_are_not(tm: InProcess) -> None:
    done = tm("lint", "--json")
    assert (done.code, places(done.json)) == (1, [GATE, ROUTE])
    assert done.json["summary"] == {"errors": 1, "warnings": 1, "files": 3}
    assert tm("lint", "--ignore", "TM106").code == 0
    strict = tm("lint", "--ignore", "TM106", "--strict", "--json")
    assert (strict.code, strict.json["ok"]) == (1, False)


def test_codes_come_joined_repeated_and_as_prefixes(tm: InProcess) -> None:
    assert places(tm("lint", "--select", "tm110,TM2", "--json").json) == [GATE]
    assert places(tm("lint", "--select", "TM1", "--ignore=TM110", "--json").json) == [ROUTE]
    assert places(tm("lint", "--select", "TM4", "--select", "TM106", "--json").json) == [ROUTE]


@pytest.mark.parametrize(
    "words",
    [
        ["--select", "TM999"], ["--ignore", "X"], ["-t", "depto"], ["tenants/depot/gone.yaml"],
        ["--since", "HEAD"], ["--root", "tenants"], ["--format", "xml"], ["--unknown"],
        ["--baseline", "tenants"], ["--statistics", "--format", "sarif"],
    ],
)  # fmt: skip
def test_a_wrong_call_is_exit_2_and_one_json_object(
    tm: InProcess, monkeypatch: pytest.MonkeyPatch, shop: Path, words: list[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(shop.parent))
    done = tm("lint", *words)
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr
    shown = tm("lint", *words, "--json")
    assert shown.code == 2
    assert (shown.json["ok"], shown.json["findings"]) == (False, [])
    assert shown.json["error"]["message"]


def test_format_json_has_its_errors_as_json_too(tm: InProcess) -> None:
    for words in (["--format", "json"], ["--format=json"]):
        assert tm("lint", *words, "--select", "X").json["ok"] is False
    assert tm("lint", "--json", "--format", "sarif").code == 2
    assert tm("lint", "--json", "--format", "json").code == 1


def test_paths_limit_what_is_reported(tm: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    done = tm("lint", "tenants/depot/tools/getGate.yaml", "--json")
    assert (places(done.json), done.json["summary"]["files"]) == ([GATE], 1)
    assert places(tm("lint", "tenants/depot/tools", "--json").json) == [GATE, ROUTE]
    assert places(tm("lint", "tenants/depot/depot.yaml", "--json").json) == []
    monkeypatch.chdir("tenants/depot/tools")
    assert places(tm("lint", "getRoute.yaml", "--json").json) == [ROUTE]


def test_shared_tools_are_linted_unless_a_tenant_is_named(tm: InProcess, shop: Path) -> None:
    write_tree(shop, {"tenants/_shared/a.yaml": "tools: {a: {description: A.}}\n"})
    assert "TM105" in str(tm("lint", "--json").json)
    assert places(tm("lint", "-t", "depot", "--json").json) == [GATE, ROUTE]
    assert tm("lint", "-t", "_shared").code == 2
    found = places(tm("lint", "tenants/_shared", "--json").json)
    assert {path for path, _, _ in found} == {"tenants/_shared/a.yaml"}


def test_statistics_count_codes(tm: InProcess) -> None:
    done = tm("lint", "--statistics")
    assert (done.code, done.stdout) == (
        1,
        (
            "1  TM106  error    unknown-api\n1  TM110  warning  no-fixture\n"
            "1 error and 1 warning in 3 files\n"
        ),
    )
    counts = tm("lint", "--statistics", "--json").json["statistics"]
    assert [row["count"] for row in counts] == [1, 1]


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif", "junit"])
def test_formats_go_to_stdout_with_the_usual_exit_code(tm: InProcess, name: str) -> None:
    done = tm("lint", "--format", name)
    assert (done.code, done.stderr) == (1, "")
    assert "TM106" in done.stdout


def test_settings_choose_and_a_call_chooses_otherwise(tm: InProcess, shop: Path) -> None:
    write_tree(shop, {"pyproject.toml": '[tool.tm.lint]\nselect = ["TM110"]\nstrict = true\n'})
    done = tm("lint", "--json")
    assert (done.code, places(done.json)) == (1, [GATE])
    assert places(tm("lint", "--select", "TM106", "--json").json) == [ROUTE]
    write_tree(shop, {"pyproject.toml": "[tool.tm.lint]\nselct = []\n"})
    broken = tm("lint", "--json")
    assert broken.code == 2
    assert "pyproject.toml:2" in broken.json["error"]["message"]


def test_allowed_findings_are_gone_and_left_over_entries_are_told(
    tm: InProcess, shop: Path
) -> None:
    entries = (
        '{code = "TM106", path = "tenants/depot/**", reason = "comes in May"},\n'
        ' {code = "TM302", path = "tenants/depot/x.py", reason = "was needed"},\n'
    )
    write_tree(shop, {"pyproject.toml": f"[tool.tm.lint]\nallow = [{entries}]\n"})
    done = tm("lint", "--json")
    assert places(done.json) == [("pyproject.toml", 3, "TM901"), GATE]
    assert places(tm("lint", "--json", "--select", "TM106").json) == []
    assert places(tm("lint", "--json", "tenants").json) == [GATE]
    assert "x.py" in tm("lint").stdout


def test_since_reports_what_changed(tm: InProcess, shop: Path) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run(["git", *who, *words], cwd=shop, check=True, capture_output=True)

    git("init", "-q")
    git("add", "-A")
    git("-c", "commit.gpgsign=false", "commit", "-q", "-m", "first")
    assert tm("lint", "--since", "HEAD", "--json").json["summary"]["files"] == 0
    write_tree(shop, {"tenants/depot/new.yaml": "# nothing\n"})
    assert {path for path, _, _ in places(tm("lint", "--since", "HEAD", "--json").json)} <= {
        "tenants/depot/new.yaml"
    }
    gone = tm("lint", "--since", "no-such-ref", "--json")
    assert (gone.code, "no-such-ref" in gone.json["error"]["message"]) == (2, True)


def test_colour_is_only_where_it_is_wanted(tm: InProcess) -> None:
    assert "\x1b[" not in tm("lint").stdout
    assert "\x1b[" in tm("lint", "--color", "always").stdout


def test_odd_files_are_findings_or_left_out_and_never_a_crash(tm: InProcess, shop: Path) -> None:
    folder = shop / "tenants/depot/odd"
    folder.mkdir()
    (folder / "binary.yaml").write_bytes(bytes(range(256)) * 64)
    (folder / "binary.py").write_bytes(bytes(range(256)) * 64)
    (folder / "huge.yaml").write_bytes(b"# tm: ignore[TM110] x\n" * 250_000)
    (folder / "new\nline.yaml").write_text("tools: [")
    (folder / "empty.py").write_text("")
    (folder / "deep.yaml").write_text("a: " + "[" * 50_000)
    (folder / "deep.py").write_text("a = " + "(" * 50_000)
    os.mkfifo(folder / "pipe.yaml")
    (folder / "circle.yaml").symlink_to("circle.yaml")
    (folder / "up").symlink_to(folder)
    (folder / "no-rights.yaml").write_text("tools: {}\n")
    (folder / "no-rights.yaml").chmod(0)
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.yaml")).write_text("tools: {}\n")
    for name in ("text", "json", "github", "gitlab", "sarif", "junit"):
        done = tm("lint", "--format", name)
        assert (done.code, done.stderr) == (1, ""), name
    found = {path.rpartition("/")[2] for path, _, _ in places(tm("lint", "--json").json)}
    wanted = {"binary.yaml", "binary.py", "huge.yaml", "new\nline.yaml", "deep.yaml", "deep.py"}
    assert wanted <= found
    assert {"pipe.yaml", "circle.yaml", "up"} <= found


def test_schema_is_printed_as_json(tm: InProcess) -> None:
    done = tm("schema")
    assert done.code == 0
    assert json.loads(done.stdout)["title"] == "tm config"


NESTED = """
    tools:
      getDock:
        type: function  # from the old system
        function:
          name: getDock
          description: Dock of a truck.
          parameters: {type: object, properties: {}}
        api: wms
        method: GET
        path: /docks
        args_fixture: {}
    """


@pytest.fixture
def nested(shop: Path) -> Path:
    """Return a file that can be mended."""
    write_tree(shop, {"tenants/depot/nested.yaml": NESTED})
    return shop / "tenants/depot/nested.yaml"


def test_diff_shows_what_fix_would_change_and_writes_nothing(tm: InProcess, nested: Path) -> None:
    before = nested.read_bytes()
    done = tm("lint", "--select", "TM101", "--diff")
    assert done.code == 1
    assert done.stdout.startswith(
        "--- a/tenants/depot/nested.yaml\n+++ b/tenants/depot/nested.yaml\n"
    )
    assert "-    function:\n" in done.stdout
    assert "TM101" in done.stderr
    assert nested.read_bytes() == before
    shown = tm("lint", "--select", "TM101", "--diff", "--fix", "--json")
    assert shown.json["diff"] == done.stdout
    assert nested.read_bytes() == before
    assert tm("lint", "--diff", "--format", "sarif").code == 2


def test_a_diff_can_be_applied_by_git(tm: InProcess, nested: Path, shop: Path) -> None:
    for text in (NESTED, NESTED.rstrip("\n"), NESTED.replace("\n", "\r\n")):
        nested.write_bytes(text.encode())
        done = tm("lint", "--select", "TM101", "--diff")
        command = ["git", "apply", "--check", "-"]
        subprocess.run(command, cwd=shop, input=done.stdout.encode(), check=True)


def test_fix_mends_and_reports_what_is_left(tm: InProcess, nested: Path) -> None:
    done = tm("lint", "--select", "TM101,TM106", "--fix", "--json")
    assert (done.code, places(done.json)) == (1, [ROUTE])
    assert "mended 1 file" in done.stderr
    assert "function:" not in nested.read_text()
    again = tm("lint", "--select", "TM101,TM106", "--fix", "--json")
    assert "mended" not in again.stderr
    assert places(again.json) == [ROUTE]


def test_fix_leaves_what_is_not_reported(tm: InProcess, nested: Path) -> None:
    before = nested.read_bytes()
    tm("lint", "--ignore", "TM101", "--fix")
    tm("lint", "tenants/depot/depot.yaml", "--fix")
    tm("lint", "--baseline", "known.json")
    tm("lint", "--baseline", "known.json", "--fix")
    assert nested.read_bytes() == before


def test_a_secret_is_masked_wherever_its_line_is_shown(tm: InProcess, shop: Path) -> None:
    secret = "sk-" + "a8Kq2mZ7Lw9Xc4Vb6Nf1Rt5Yp3"  # shaped like one, and nobody's
    write_tree(
        shop,
        {
            "tenants/depot/secret.yaml": f"""
            apis:
              llm: {{base_url: "https://x.example.com", auth: {{type: bearer, token: {secret}}}}}
            """
        },
    )
    for name in ("text", "json", "github", "gitlab", "sarif", "junit"):
        done = tm("lint", "--format", name)
        assert "TM310" in done.stdout
        assert secret not in done.output
    tm("lint", "--baseline", "known.json")
    assert secret not in (shop / "known.json").read_text()


def test_results_are_kept_only_while_nothing_changed(tm: InProcess, shop: Path) -> None:
    for path in shop.rglob("*.yaml"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    first = tm("lint", "--json").json
    assert tm("lint", "--json").json == first
    route = shop / "tenants/depot/tools/getRoute.yaml"
    route.write_text(route.read_text().replace("api: tms", "api: wms"))
    assert places(tm("lint", "--json").json) == [GATE]
    route.unlink()
    assert {code for _, _, code in places(tm("lint", "--json").json)} == {"TM110", "TM402"}


def test_folders_that_are_no_tenants_are_named(tm: InProcess, shop: Path) -> None:
    write_tree(shop, {"tenants/Shop/a.yaml": "tools: {}\n", "tenants/.git/a.yaml": "x"})
    done = tm("lint")
    assert "tenants/'Shop' is no tenant" in done.stderr
    assert ".git" not in done.output
    assert tm("lint", "-t", "depot").stderr == ""
