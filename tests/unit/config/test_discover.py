"""Where the root, the tenants and the config files are, and which tenant is meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tm.config.discover import (
    choose_tenant,
    find_root,
    is_folder,
    is_tenant_code,
    list_files,
    tenant_codes,
)
from tm.errors import UsageError


def test_root_is_the_nearest_folder_upwards(workspace):
    root = workspace({"tenants/acme/tools/x.yaml": "", "sub/tenants/b/x.yaml": "", "other/y": ""})
    assert find_root(root / "tenants" / "acme" / "tools", option=None, environ={}) == root
    assert find_root(root / "sub" / "tenants", option=None, environ={}) == root / "sub"
    assert find_root(root / "other", option=None, environ={}) == root


def test_option_beats_variable_beats_folder(workspace, tmp_path):
    root = workspace({"a/tenants/x/f": "", "b/tenants/x/f": ""})
    environ = {"TM_ROOT": str(root / "b")}
    assert find_root(root, option="a", environ=environ) == root / "a"
    assert find_root(root, option=None, environ=environ) == root / "b"
    assert find_root(root / "a", option="../b", environ={}) == root / "b"


def test_root_without_tenants_is_an_error(tmp_path):
    for option, environ in ((None, {}), ("x", {}), (None, {"TM_ROOT": "x"})):
        with pytest.raises(UsageError) as caught:
            find_root(tmp_path, option=option, environ=environ)
        assert str(tmp_path) not in caught.value.message


def test_tenants_that_is_a_link_is_no_workspace(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "tenants").symlink_to(tmp_path / "real")
    assert not is_folder(tmp_path / "w" / "tenants")
    with pytest.raises(UsageError):
        find_root(tmp_path / "w", option=None, environ={})


def test_unreadable_path_is_no_folder(tmp_path):
    assert not is_folder(tmp_path / ("x" * 300))


@pytest.mark.parametrize("code", ["acme", "a", "0", "a-b_c", "a" * 63])
def test_tenant_codes(code):
    assert is_tenant_code(code)


@pytest.mark.parametrize(
    "code",
    [
        "",
        ".",
        "..",
        "../globex",
        "acme/",
        "/etc",
        "acme%2f..",
        "ACME",
        ".git",
        "_shared",
        "-rf",
        "\uff41\uff43\uff4d\uff45",
        "acme\n",
        "a" * 64,
        "a b",
        "a.b",
        "ä",
    ],
)
def test_no_tenant_codes(code):
    assert not is_tenant_code(code)


def test_only_real_folders_are_tenants(workspace):
    root = workspace(
        {
            "tenants/acme/x": "",
            "tenants/_shared/x": "",
            "tenants/Nord West/x": "",
            "tenants/file": "",
            "elsewhere/x": "",
        }
    )
    (root / "tenants" / "copy").symlink_to("acme")
    (root / "tenants" / "out").symlink_to("../elsewhere")
    assert tenant_codes(root) == ["acme"]


def test_unreadable_tenants_folder_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="can't be read"):
        tenant_codes(tmp_path)


def test_walk_finds_config_in_any_folder(workspace):
    root = workspace(
        {
            "tenants/a/x.yaml": "",
            "tenants/a/d/e/y.yml": "",
            "tenants/a/d/z.py": "",
            "tenants/a/readme.md": "",
            "tenants/a/d/files/in.yaml": "",
            "tenants/a/d/tmp/in.yaml": "",
            "tenants/a/odd.yaml/in.py": "",
        }
    )
    assert sorted(list_files(root / "tenants" / "a").files) == [
        "d/e/y.yml",
        "d/files/in.yaml",
        "d/tmp/in.yaml",
        "d/z.py",
        "odd.yaml/in.py",
        "x.yaml",
    ]


@pytest.mark.parametrize(
    "folder",
    [
        "files",
        "_backups",
        "logs",
        "tmp",
        "cassettes",
        "knowledge",
        ".git",
        "__pycache__",
        "d/.hidden",
        "d/__pycache__",
    ],
)
def test_walk_leaves_out_runtime_and_hidden_folders(workspace, folder):
    root = workspace(
        {f"tenants/a/{folder}/x.yaml": "", "tenants/a/.x.yaml": "", "tenants/a/d/k": ""}
    )
    assert list_files(root / "tenants" / "a").files == {}


def test_walk_follows_no_link_and_remembers_it(workspace):
    root = workspace({"tenants/a/x.yaml": "", "tenants/b/y.yaml": "", "tenants/b/d/z.yaml": ""})
    home = root / "tenants" / "a"
    (home / "link.yaml").symlink_to("../b/y.yaml")
    (home / "dir").symlink_to("../b/d")
    (home / "broken").symlink_to("nowhere")
    (home / "loop").symlink_to(".")
    listing = list_files(home)
    assert list(listing.files) == ["x.yaml"]
    assert sorted(listing.links) == ["dir", "link.yaml", "loop"]


def test_walk_skips_what_is_no_file(workspace):
    root = workspace({"tenants/a/x.yaml": ""})
    os.mkfifo(root / "tenants" / "a" / "pipe.yaml")
    assert list(list_files(root / "tenants" / "a").files) == ["x.yaml"]


def test_walk_names_what_it_cannot_read(workspace):
    root = workspace({"tenants/a/x.yaml": ""})
    home = root / "tenants" / "a"
    Path(os.fsdecode(os.fsencode(home) + b"/\xff.yaml")).write_text("")
    listing = list_files(home)
    assert listing.unreadable == ["?.yaml"]
    assert list_files(home / "nowhere").unreadable == ["."]


def test_walk_ends_at_a_depth(workspace):
    root = workspace({f"tenants/a/{'d/' * 70}x.yaml": ""})
    listing = list_files(root / "tenants" / "a")
    assert listing.files == {}
    assert len(listing.unreadable) == 1


class Known:
    """Three tenants, two of which have getX."""

    def __init__(self, root: Path, codes=("berlin", "hamburg", "kiel"), having=("hamburg", "kiel")):
        self.root = root
        self._codes, self._having = list(codes), list(having)

    def tenant_codes(self):
        return self._codes

    def tenants_with(self, name):
        return self._having if name == "getX" else []

    def tool_names(self, code):
        return ["getX"] if code in self._having else []


def choose(catalog, name="getX", option=None, environ=None, cwd=Path("/")):
    return choose_tenant(catalog, name, option=option, environ=environ or {}, cwd=cwd)


def test_option_beats_variable_beats_folder_for_the_tenant(tmp_path):
    catalog = Known(tmp_path)
    environ = {"TM_TENANT": "berlin"}
    inside = tmp_path / "tenants" / "kiel" / "tools"
    assert choose(catalog, option="hamburg", environ=environ, cwd=inside) == "hamburg"
    assert choose(catalog, environ=environ, cwd=inside) == "berlin"
    assert choose(catalog, cwd=inside) == "kiel"
    assert choose(catalog, option="", cwd=inside) == "kiel"


def test_the_only_tenant_with_the_tool(tmp_path):
    assert choose(Known(tmp_path, having=["kiel"])) == "kiel"
    assert choose(Known(tmp_path, codes=["kiel"], having=[])) == "kiel"
    assert choose(Known(tmp_path, codes=["kiel"]), name=None) == "kiel"


def test_several_tenants_are_listed(tmp_path):
    with pytest.raises(UsageError, match="hamburg, kiel"):
        choose(Known(tmp_path))
    with pytest.raises(UsageError, match="berlin, hamburg, kiel"):
        choose(Known(tmp_path), name=None)


def test_no_tenant_has_the_tool(tmp_path):
    with pytest.raises(UsageError) as caught:
        choose(Known(tmp_path), name="getZX")
    assert caught.value.code == "TM502"
    assert "'getX'" in caught.value.message
    assert "berlin" in caught.value.hint


@pytest.mark.parametrize("code", ["bremen", "../berlin", "/berlin", "BERLIN", "_shared", "berlin/"])
def test_unknown_tenant_is_an_error(tmp_path, code):
    with pytest.raises(UsageError) as caught:
        choose(Known(tmp_path), option=code)
    assert caught.value.exit_code == 2


def test_unknown_tenant_names_the_nearest_or_all(tmp_path):
    with pytest.raises(UsageError, match="did you mean 'berlin'"):
        choose(Known(tmp_path), option="berln")
    with pytest.raises(UsageError, match="there are: berlin"):
        choose(Known(tmp_path), option="zzz")
    with pytest.raises(UsageError, match="holds none"):
        choose(Known(tmp_path, codes=[]), option="zzz")


def test_standing_in_shared_or_the_tenants_folder_chooses_nothing(tmp_path):
    for place in (tmp_path / "tenants", tmp_path / "tenants" / "_shared"):
        assert choose(Known(tmp_path, having=["kiel"]), cwd=place) == "kiel"
