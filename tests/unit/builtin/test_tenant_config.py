"""writeTenantConfig and deleteTenantConfig."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.conftest import ROOT, command_environment
from tm.errors import ToolError

SETTINGS = "settings:\n  config_writers: [ada@example.com]\n"
OLD = "tools:\n  getA: {description: Old., handler: 'a.py:a'}\n"
NEW = "tools:\n  getA: {description: New., handler: 'a.py:a'}\n"
BAD_CODE = """\
import subprocess


def a(results, args, ctx):
    subprocess.run(["ls"])
    open("x")
    return {}
"""


@pytest.fixture(autouse=True)
def filled(shop):
    shop.write("shop.yaml", SETTINGS)
    shop.write("tools/a.yaml", OLD)


def refused(shop, code, name="writeTenantConfig", **args) -> ToolError:
    with pytest.raises(ToolError) as caught:
        shop.call(name, **args)
    assert caught.value.code == code, caught.value.message
    return caught.value


def test_a_new_file_is_written_with_its_folders(shop):
    got = shop.call("writeTenantConfig", path="tools/erp/b.yaml", content=NEW.replace("getA", "b"))
    assert got == {"path": "tools/erp/b.yaml", "size": len(NEW) - 3, "backup": None}
    assert "New." in (shop.folder / "tools/erp/b.yaml").read_text()
    assert not (shop.folder / "_backups").exists()


def test_the_old_content_is_kept_under_the_time(shop):
    first = shop.call("writeTenantConfig", path="tools/a.yaml", content=NEW)
    assert first["backup"] == "_backups/20260301T120001.000000Z/tools/a.yaml"
    assert (shop.folder / first["backup"]).read_text() == OLD
    second = shop.call("writeTenantConfig", path="./tools/a.yaml", content=OLD)
    assert (shop.folder / second["backup"]).read_text() == NEW
    assert (shop.folder / "tools/a.yaml").read_text() == OLD


def test_deleting_keeps_the_content_too(shop):
    got = shop.call("deleteTenantConfig", path="tools/a.yaml")
    assert got["deleted"] is True
    assert (shop.folder / got["backup"]).read_text() == OLD
    assert not (shop.folder / "tools/a.yaml").exists()
    error = refused(shop, "TM501", "deleteTenantConfig", path="shopp.yaml")
    assert "did you mean 'shop.yaml'" in error.message


@pytest.mark.parametrize("user", [None, "", "eve@example.com", "ada", "ADA@example.com"])
@pytest.mark.parametrize("name", ["writeTenantConfig", "deleteTenantConfig"])
def test_only_listed_users_may(shop, tree, user, name):
    before = tree(shop.folder)
    more = {"content": NEW} if name == "writeTenantConfig" else {}
    error = refused(shop, "TM517", name, path="tools/a.yaml", user=user, **more)
    assert "settings.config_writers" in error.message
    refused(shop, "TM517", name, path="../../x.yaml", user=user, **more)
    assert tree(shop.folder) == before


@pytest.mark.parametrize("listed", [None, [], "ada@example.com", {"ada@example.com": 1}, [["x"]]])
def test_anything_but_a_list_of_names_lists_nobody(shop, listed):
    shop.settings["config_writers"] = listed
    refused(shop, "TM517", path="tools/a.yaml", content=NEW)


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "tools/.env",
        "x.env",
        "notes.txt",
        "tools",
        ".",
        "a.YAML",
        "files/x.yaml",
        "files/x.py",
        "Files/x.py",
        "_backups/x.yaml",
        "logs/x.py",
        "tmp/x.py",
        "cassettes/getA/default.yaml",
        "knowledge/x.yaml",
        "tools/__pycache__/x.py",
        "../other/x.yaml",
        "../_shared/x.yaml",
        "../../x.py",
        "/etc/x.yaml",
        "tools/../shop.yaml",
        "tools\\x.yaml",
        "x\0.yaml",
        ".hidden/x.yaml",
    ],
)
@pytest.mark.parametrize("name", ["writeTenantConfig", "deleteTenantConfig"])
def test_only_config_files_of_the_tenant_are_reached(shop, tree, path, name):
    other = shop.root / "tenants/other/x.yaml"
    other.parent.mkdir()
    other.write_text(OLD)
    before = tree(shop.root)
    more = {"content": NEW} if name == "writeTenantConfig" else {}
    refused(shop, "TM518", name, path=path, **more)
    assert tree(shop.root) == before


def test_links_are_not_followed(shop, tmp_path, tree):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.yaml").write_text(OLD)
    (shop.folder / "linked").symlink_to(outside)
    (shop.folder / "link.yaml").symlink_to(outside / "x.yaml")
    for path in ("linked/x.yaml", "link.yaml", "linked/new.yaml"):
        refused(shop, "TM518", path=path, content="tools: {}\n")
        if "new" not in path:
            refused(shop, "TM518", "deleteTenantConfig", path=path)
    assert tree(outside) == {"x.yaml": OLD.encode()}


def test_a_linked_backup_folder_stops_the_write(shop, tmp_path):
    (tmp_path / "outside").mkdir()
    (shop.folder / "_backups").symlink_to(tmp_path / "outside")
    refused(shop, "TM518", path="tools/a.yaml", content=NEW)
    refused(shop, "TM518", "deleteTenantConfig", path="tools/a.yaml")
    assert (shop.folder / "tools/a.yaml").read_text() == OLD
    assert list((tmp_path / "outside").iterdir()) == []


def test_every_finding_of_the_scan_is_named_with_its_place(shop, tree):
    before = tree(shop.folder)
    error = refused(shop, "TM520", path="tools/a.py", content=BAD_CODE)
    places = [detail.path for detail in error.details]
    assert "tenants/shop/tools/a.py:1:8" in places
    assert "tenants/shop/tools/a.py:6:5" in places
    for detail in error.details:
        assert f"{detail.path} {detail.message}" in error.message
    assert "subprocess" in error.message
    assert tree(shop.folder) == before


@pytest.mark.parametrize(
    ("path", "content", "code"),
    [
        ("x.yaml", "tools: [", "TM001"),
        ("x.yaml", "tools:\n  a: {}\n  a: {}\n", "TM002"),
        ("x.yaml", "a: !!python/name:os.system x\n", "TM003"),
        ("x.yaml", "nothing: here\n", "TM005"),
        ("x.yaml", "", "TM005"),
        ("x.yaml", "tools: {a: {description: A.}}\n", "TM105"),
        ("x.yaml", "tools: {a: {descripton: A., handler: 'a.py:a'}}\n", "TM007"),
        ("x.yaml", "tools: {a: {handler: '../../other/x.py:f'}}\n", "TM312"),
        ("x.yaml", "tools: {a: {handler: '/etc/x.py:f'}}\n", "TM312"),
        ("x.yaml", "tools: {a: {handler: 'files/x.py:f'}}\n", "TM312"),
        ("x.yaml", "tools: {a: {extends: other/getX}}\n", "TM111"),
        ("x.yaml", "tools: {a: {type: function, function: {name: a}}}\n", "TM101"),
        ("x.yaml", "tools: {a: 5}\n", "TM105"),
        ("x.yaml", "apis: {a: {}}\n", "TM106"),
        ("x.yaml", "assistants: {a: {tools: getA}}\n", "TM402"),
        ("x.yaml", "settings: {http: sometimes}\n", "TM007"),
        ("x.yaml", "tools: {b: {handler: 'a.py:a'}}\nsetings: {}\n", "TM007"),
        ("x.yaml", "tools: {getA: {description: Again., handler: 'a.py:a'}}\n", "TM006"),
        ("x.py", "def f(:\n", "TM001"),
        ("x.py", "x = eval('1')\n", "TM304"),
        ("x.py", "print('at import')\n", "TM308"),
        ("x.py", 'tools = {"getA": {"description": "A.", "handler": "a.py:a"}}\n', "TM006"),
    ],
)
def test_what_would_not_load_is_refused(shop, tree, path, content, code):
    before = tree(shop.folder)
    error = refused(shop, "TM520", path=path, content=content)
    assert code in error.message
    assert f"tenants/shop/{path}:" in error.message
    assert tree(shop.folder) == before


def test_all_faults_of_a_yaml_file_are_told_at_once(shop):
    content = "tools:\n  b: {handler: 1}\n  c: {desc: x, handler: 'a.py:a'}\napis:\n  x: {}\n"
    error = refused(shop, "TM520", path="x.yaml", content=content)
    assert len(error.details) >= 3
    assert {detail.path.split(":")[1] for detail in error.details} >= {"2", "3", "5"}


def test_a_long_list_of_findings_is_cut(shop):
    content = "".join(f"x{n} = eval('1')\n" for n in range(80))
    error = refused(shop, "TM520", path="x.py", content=content)
    assert len(error.details) == 50
    assert "more" in error.message
    assert len(error.message) < 20_000


def test_a_tool_may_extend_a_shared_one(shop):
    shared = shop.root / "tenants/_shared/s.yaml"
    shared.parent.mkdir()
    shared.write_text("tools:\n  base: {description: B., handler: 's.py:s'}\n  odd: 5\n")
    shop.call("writeTenantConfig", path="x.yaml", content="tools: {b: {extends: base}}\n")
    refused(shop, "TM520", path="y.yaml", content="tools: {c: {extends: odd}}\n")


def test_tasks_are_written_too(shop):
    task = "scheduled: {nightly: {cron: '0 3 * * *', tool: getA}}\n"
    assert shop.call("writeTenantConfig", path="s.yaml", content=task)["backup"] is None


def test_half_a_character_is_an_argument_error(shop):
    refused(shop, "TM501", path="x.py", content="x = '\ud800'\n")


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("shop.yaml", "settings:\n  config_writers: [ada@example.com, eve@example.com]\n"),
        ("shop.yaml", "settings:\n  config_writers: [eve@example.com]\n"),
        ("shop.yaml", "settings: {vars: {a: b}}\n"),
        ("shop.yaml", "settings: {config_writers: []}\n"),
    ],
)
def test_who_may_write_is_not_decided_by_writing(shop, tree, path, content):
    before = tree(shop.folder)
    error = refused(shop, "TM517", path=path, content=content)
    assert "config_writers" in error.message
    assert tree(shop.folder) == before


def test_a_second_list_of_writers_contradicts_the_first(shop):
    for path, content in (
        ("x.yaml", "settings: {config_writers: [eve@example.com]}\n"),
        ("x.py", 'settings = {"config_writers": ["eve@example.com"]}\n'),
    ):
        assert "TM006" in refused(shop, "TM520", path=path, content=content).message


def test_isolation_is_not_turned_off_by_writing_or_deleting(shop):
    shop.write("iso.yaml", "settings: {isolate: true}\n")
    refused(shop, "TM517", path="iso.yaml", content="settings: {isolate: false}\n")
    refused(shop, "TM517", path="iso.yaml", content="settings: {vars: {a: b}}\n")
    refused(shop, "TM517", "deleteTenantConfig", path="iso.yaml")
    shop.call("writeTenantConfig", path="b.yaml", content="settings: {isolate: true}\n")
    shop.call("deleteTenantConfig", path="iso.yaml")


def test_settings_beside_the_writers_may_be_changed(shop):
    content = SETTINGS + "  vars: {a: b}\n"
    shop.call("writeTenantConfig", path="shop.yaml", content=content)
    assert (shop.folder / "shop.yaml").read_text() == content


def test_deleting_the_list_of_writers_warns_that_nobody_is_left(shop):
    shop.call("deleteTenantConfig", path="shop.yaml")
    assert any(level == "warning" and "nobody" in text for level, text, _ in shop.lines)


def test_a_dry_run_checks_everything_and_writes_nothing(shop, tree):
    before = tree(shop.folder)
    wrote = shop.call("writeTenantConfig", dry_run=True, path="tools/a.yaml", content=NEW)
    assert wrote == {"path": "tools/a.yaml", "size": len(NEW), "backup": None, "dry_run": True}
    deleted = shop.call("deleteTenantConfig", dry_run=True, path="shop.yaml")
    assert deleted["deleted"] is False
    refused(shop, "TM520", dry_run=True, path="x.py", content=BAD_CODE)
    refused(shop, "TM518", dry_run=True, path="../x.py", content="")
    refused(shop, "TM517", dry_run=True, path="x.py", content="", user=None)
    refused(shop, "TM501", "deleteTenantConfig", dry_run=True, path="nothing.yaml")
    assert tree(shop.folder) == before


def test_two_backups_of_one_moment_do_not_overwrite_each_other(shop):
    shop.call("writeTenantConfig", path="tools/a.yaml", content=NEW)
    shop.calls -= 1
    refused(shop, "TM518", path="tools/a.yaml", content=OLD)
    assert (shop.folder / "tools/a.yaml").read_text() == NEW


@pytest.mark.parametrize("failing", ["fsync", "rename", "link"])
def test_a_failing_disk_leaves_the_old_file(shop, monkeypatch, failing):
    def broken(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, broken)
    refused(shop, "TM509", path="tools/a.yaml", content=NEW)
    assert (shop.folder / "tools/a.yaml").read_text() == OLD
    assert [path.name for path in (shop.folder / "tools").iterdir()] == ["a.yaml"]


KILLED = """
import os, signal, sys
from tm.cli.entry import main
left = int(sys.argv.pop(1))
def die(event, args):
    global left
    written = event == "open" and isinstance(args[2], int) and args[2] & os.O_CREAT
    if (written and ".tmp" in str(args[0])) or event in ("os.rename", "os.link", "os.remove"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(die)
sys.exit(main())
"""


@pytest.mark.parametrize("moment", range(1, 6))
def test_a_kill_at_any_moment_leaves_a_whole_file(shop, tmp_path, moment):
    new = f"tools:\n  getA: {{description: {'N' * 50_000}, handler: 'a.py:a'}}\n"
    (tmp_path / "args.json").write_text(json.dumps({"path": "tools/a.yaml", "content": new}))
    words = ["test-tool", "writeTenantConfig", "--user", "ada@example.com", "-q"]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(moment), *words, "--args", "@args.json"],
        cwd=tmp_path,
        env={**command_environment(tmp_path, {}), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    now = (shop.folder / "tools/a.yaml").read_text()
    assert now in (OLD, new)
    if now == new:
        kept = [path.read_text() for path in (shop.folder / "_backups").rglob("a.yaml")]
        assert kept == [OLD]
