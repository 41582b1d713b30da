import subprocess
from pathlib import Path

import pytest

from tests.unit.cli.conftest import InProcess

TOOL = """
assistants:
  desk: {system_prompt: You help., model: m, provider: p, tools: [getBin, sharedOne]}
tools:
  getBin:
    description: A bin.
    parameters: {type: object, properties: {hall: {type: string}}}
    api: wms
    method: GET
    path: /bin
    mapping: {id: id}
apis:
  wms: {base_url: https://wms.example.com}
"""
SHARED = "tools:\n  sharedOne: {description: One., handler: 's.py:f'}\n"


@pytest.fixture
def depot(shop: Path) -> Path:
    """Return the shop with one more file, everything committed."""
    (shop / ".gitignore").write_text(".tm/\n")
    (shop / "tenants/acme/depot.yaml").write_text(TOOL)
    (shop / "tenants/_shared").mkdir()
    (shop / "tenants/_shared/s.yaml").write_text(SHARED)
    (shop / "tenants/_shared/s.py").write_text("def f(results, args, ctx):\n    return {}\n")
    (shop / "tenants/acme/link.yaml").symlink_to("depot.yaml")
    commit(shop)
    return shop


def commit(folder: Path) -> None:
    name = [
        "-c",
        "user.name=desk",
        "-c",
        "user.email=desk@example.com",
        "-c",
        "commit.gpgsign=false",
    ]
    for words in (["init", "-q"], ["add", "-A"], [*name, "commit", "-qm", "start"]):
        subprocess.run(["git", *words], cwd=folder, check=True)


def edit(folder: Path, old: str, new: str, path: str = "tenants/acme/depot.yaml") -> None:
    text = (folder / path).read_text()
    assert old in text
    (folder / path).write_text(text.replace(old, new))


def test_no_change_is_exit_0(tm: InProcess, depot: Path) -> None:
    done = tm("diff", "HEAD")
    assert (done.code, done.stdout) == (0, "models see no difference since HEAD\n")
    assert tm("diff", "HEAD", "--json").json == {"ok": True, "changes": []}


def test_a_field_that_is_gone_is_breaking(tm: InProcess, depot: Path) -> None:
    edit(depot, "mapping: {id: id}", "mapping: {number: id}")
    done = tm("diff", "HEAD")
    assert done.code == 1
    assert "breaking getBin: result field 'id' is gone  [desk]" in done.stdout
    assert "1 breaking, 0 risky, 1 harmless since HEAD" in done.stdout
    assert tm("diff", "HEAD", "--fail-on", "never").code == 0


def test_a_description_is_risky(tm: InProcess, depot: Path) -> None:
    edit(depot, "A bin.", "A bin of a hall.")
    assert tm("diff", "HEAD").code == 0
    done = tm("diff", "HEAD", "--fail-on", "risky", "--json")
    assert (done.code, done.json["ok"]) == (1, False)
    assert done.json["changes"][0]["path"] == "description"


def test_a_shared_tool_counts_for_those_that_list_it(tm: InProcess, depot: Path) -> None:
    edit(depot, "One.", "Another one.", "tenants/_shared/s.yaml")
    ((level, tool),) = [
        (change["level"], change["tool"])
        for change in tm("diff", "HEAD", "--format", "json").json["changes"]
    ]
    assert (level, tool) == ("risky", "sharedOne")


def test_annotations_point_to_the_line(tm: InProcess, depot: Path) -> None:
    edit(depot, "A bin.", "A bin, at 100%\\n.")
    row = tm("diff", "HEAD", "--format", "github").stdout
    assert row.startswith("::warning file=tenants/acme/depot.yaml,line=6,title=risky for models")


def test_a_tenant_that_is_gone_is_breaking(tm: InProcess, depot: Path) -> None:
    (depot / "tenants/acme").rename(depot / "tenants/zoo")
    levels = {(c["tenant"], c["level"]) for c in tm("diff", "HEAD", "--json").json["changes"]}
    assert ("acme", "breaking") in levels
    assert ("zoo", "harmless") in levels
    assert {c["tenant"] for c in tm("diff", "HEAD", "-t", "acme", "--json").json["changes"]} == {
        "acme"
    }


def test_a_new_tool_in_an_untracked_file_is_harmless(tm: InProcess, depot: Path) -> None:
    assert tm("new", "tool", "findTea").code == 0
    assert tm("diff", "HEAD", "--json").json["changes"][0]["message"] == "'findTea' is new"


@pytest.mark.parametrize(
    "words", [["nope"], ["HEAD", "-t", "nope"], ["HEAD~9", "--format", "json"]]
)
def test_mistakes_are_exit_2_with_one_document(
    tm: InProcess, depot: Path, words: list[str]
) -> None:
    done = tm("diff", *words, *([] if "json" in words else ["--json"]))
    assert (done.code, done.json["ok"], done.json["changes"]) == (2, False, [])


def test_without_git_it_says_so(tm: InProcess, shop: Path) -> None:
    assert "needs a git repository" in tm("diff", "HEAD").stderr
