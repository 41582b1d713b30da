"""TM312 and TM117: links, and functions of files that are not there."""

from __future__ import annotations

from pathlib import Path

from tests.unit.lint.fixing import workspace
from tests.unit.lint.samples import lint_root, places
from tm.lint.collect import collect
from tm.lint.engine import lint
from tm.lint.subjects import LintWorkspace

TOOL = "tools:\n  t:\n    description: x\n    args_fixture: {}\n    handler: HANDLER\n"
CODE = """\
def f(results, args, ctx):
    ctx["logger"].info("a")
    ctx["logger"].info("b")
    return {}
"""


def found(read: LintWorkspace) -> list[tuple[str, str]]:
    return [(one.at.path.removeprefix("tenants/"), one.code) for one in lint(read)]


def test_a_runtime_folder_may_be_a_link_inside_the_tenant_and_not_out_of_it(tmp_path: Path) -> None:
    workspace(tmp_path, {"notes/a.md": "x"})
    shop = tmp_path / "tenants/shop"
    (shop / "knowledge").symlink_to("notes")
    (shop / "files").symlink_to(tmp_path)
    assert found(collect(tmp_path, ["shop"])) == [("shop/files", "TM312")]


def test_a_link_that_leads_to_itself_is_told(tmp_path: Path) -> None:
    workspace(tmp_path, {"notes/a.md": "x"})
    (tmp_path / "tenants/shop/sub").symlink_to("sub")
    assert found(collect(tmp_path, ["shop"])) == [("shop/sub", "TM312")]


def test_a_tenant_that_is_a_link_is_told_where_all_tenants_are_linted(tmp_path: Path) -> None:
    workspace(tmp_path, {"a.yaml": "tools: {}\n"})
    (tmp_path / "tenants/depot").mkdir()
    (tmp_path / "tenants/linked").symlink_to("shop")
    told = [("tenants/linked", 1, "TM312")]
    assert places(lint_root(tmp_path)) == told
    assert found(collect(tmp_path, ["shop"])) == []


def test_a_workspace_whose_tenants_are_gone_has_no_links(tmp_path: Path) -> None:
    read = workspace(tmp_path, {"a.yaml": "tools: {}\n"})
    (tmp_path / "tenants").rename(tmp_path / "elsewhere")
    assert found(read) == []


def test_a_function_in_a_linked_folder_is_told_at_the_link_alone(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/code.py").write_text(CODE, "utf-8")
    workspace(tmp_path, {"a.yaml": TOOL.replace("HANDLER", "lib/code.py:f")})
    (tmp_path / "tenants/shop/lib").symlink_to(tmp_path / "lib")
    assert found(collect(tmp_path, ["shop"])) == [("shop/lib", "TM312")]


def test_a_file_of_the_same_name_in_another_folder_is_suggested(tmp_path: Path) -> None:
    tool = TOOL.replace("HANDLER", "code.py:f")
    read = workspace(tmp_path, {"a.yaml": tool, "some/folder/below/code.py": CODE})
    (told,) = lint(read)
    assert told.code == "TM117"
    assert "did you mean 'some/folder/below/code.py'?" in told.message


def test_a_shared_handler_is_looked_for_in_the_shared_folder(tmp_path: Path) -> None:
    shared = tmp_path / "tenants/_shared"
    shared.mkdir(parents=True)
    (shared / "base.yaml").write_text(TOOL.replace("HANDLER", "gone.py:f"), "utf-8")
    read = workspace(tmp_path, {"a.yaml": "tools:\n  u:\n    extends: t\n"})
    assert found(read) == []
    assert ("_shared/base.yaml", "TM117") in found(collect(tmp_path, ["_shared", "shop"]))


def test_a_base_that_is_broken_is_told_at_extends_where_the_base_is_not_linted(
    tmp_path: Path,
) -> None:
    shared = tmp_path / "tenants/_shared"
    shared.mkdir(parents=True)
    (shared / "base.yaml").write_text("tools:\n  t:\n    function: {name: t}\n", "utf-8")
    read = workspace(tmp_path, {"a.yaml": "tools:\n  u:\n    extends: t\n"})
    (told,) = lint(read)
    assert (told.at.path, told.at.line, told.code) == ("tenants/shop/a.yaml", 3, "TM111")
    assert "the base of tool 'u' can't be used" in told.message
