"""The index gives what the files would give, or it is built again without a word."""

from __future__ import annotations

import marshal
import os
from pathlib import Path

import pytest

from tm.config import Catalog, home, index
from tm.config.index import DamagedError, Index, cache_folder, index_key, index_path
from tm.config.index_writer import write_index
from tm.config.source import Source
from tm.errors import ConfigError, UsageError

GET = "    description: d\n    api: erp\n    method: GET\n    path: /x\n    mapping: {a: {b: c}}\n"


def tool(name: str) -> str:
    return f"tools:\n  {name}:\n{GET}"


@pytest.fixture(autouse=True)
def small_index(monkeypatch):
    monkeypatch.setattr(home, "MIN_FILES", 2)
    monkeypatch.setattr(home, "YOUNG_NS", 0)  # the tests' files are all young


FILES = {
    "tenants/acme/apis.yaml": (
        'apis: {erp: {base_url: "https://erp.example.com"}}\nsettings: {k: 1}\n'
    ),
    "tenants/acme/a.yaml": tool("getA"),
    "tenants/acme/b.yaml": tool("getB"),
    "tenants/acme/code.py": (
        "def f(results, args, ctx):\n    return {}\n\n\n"
        "tools = {'code': {'description': 'd', 'handler': f}}\n"
    ),
    "tenants/acme/broken.yaml": "tools:\n  broken: {a: [\n",
    "tenants/acme/odd.yaml": 'tools:\n\tx: 1\n"later": {}\n',
    "tenants/acme/evil.py": "import os\ntools = {'evil': {}}\n",
}


@pytest.fixture
def cache(tmp_path) -> Path:
    return tmp_path / "cache" / "tm"


@pytest.fixture
def root(workspace) -> Path:
    return workspace(FILES)


@pytest.fixture
def catalog(root, cache):
    def build(**options) -> Catalog:
        return Catalog(root, environ={}, cache_dir=cache, **options)

    return build


@pytest.fixture
def reads(monkeypatch) -> list[str]:
    seen: list[str] = []
    real = home.read_source
    monkeypatch.setattr(
        home, "read_source", lambda data, path: seen.append(path) or real(data, path)
    )
    return seen


def answers(c: Catalog) -> dict:
    """Ask everything that the index answers."""
    tenant = c.tenant("acme")
    return {
        "tools": {
            name: (str(t.at), t.declared, {f: str(t.fields[f].at) for f in t.fields})
            for name, t in tenant.tools.items()
        },
        "apis": tenant.apis,
        "settings": tenant.settings,
        "problems": [(p.error.to_json(), str(p.error.at), tuple(p.tools)) for p in tenant.problems],
        "merged": c.merged_config("acme"),
        "names": c.tool_names("acme"),
    }


def test_index_gives_what_the_files_give(catalog, root, reads):
    plain = answers(Catalog(root, environ={}))
    assert answers(catalog()) == plain
    reads.clear()
    assert answers(catalog()) == plain
    assert reads == []


def test_one_tool_reads_no_file(catalog, reads):
    catalog().find_tool("acme", "getA")
    reads.clear()
    c = catalog()
    assert c.api_for(c.find_tool("acme", "getA")).base_url == "https://erp.example.com"
    assert c.find_tool("acme", "code").handler.path == "tenants/acme/code.py"
    assert reads == []


def test_deep_places_are_found_in_the_file(catalog):
    catalog().tenant("acme")
    c = catalog()
    found = home.Home(c.root, "acme", cache_dir=c._cache_dir)
    declared = found.find("tools", "getA")[0]
    assert str(declared.locate("mapping", "a", "b")) == "tenants/acme/a.yaml:7:19"
    (c.root / "tenants" / "acme" / "a.yaml").unlink()
    assert str(declared.locate("mapping", "a", "zz")) == "tenants/acme/a.yaml:7:15"


def test_broken_files_are_known_to_the_index(catalog):
    catalog().tenant("acme")
    c = catalog()
    for name, code in (("broken", "TM001"), ("evil", "TM306"), ("later", "TM001")):
        with pytest.raises(ConfigError) as caught:
            c.find_tool("acme", name)
        assert caught.value.code == code
    with pytest.raises(UsageError):
        c.find_tool("acme", "nothing")


def test_few_changes_are_read_beside_the_index(catalog, root, reads, cache):
    catalog().tenant("acme")
    file = index_path(cache, root, "acme")
    before = file.stat().st_mtime_ns
    (root / "tenants" / "acme" / "a.yaml").write_text(tool("getA").replace("/x", "/changed"))
    (root / "tenants" / "acme" / "b.yaml").unlink()
    (root / "tenants" / "acme" / "new.yaml").write_text(tool("getNew"))
    reads.clear()
    c = catalog()
    assert c.find_tool("acme", "getA").path == "/changed"
    assert c.find_tool("acme", "getNew")
    with pytest.raises(UsageError):
        c.find_tool("acme", "getB")
    assert sorted(set(reads)) == ["tenants/acme/a.yaml", "tenants/acme/new.yaml"]
    assert c.tool_names("acme") == ["code", "getA", "getNew"]
    assert file.stat().st_mtime_ns == before


def test_changes_within_one_catalog_count(catalog, root):
    c = catalog()
    assert c.find_tool("acme", "getA").path == "/x"
    (root / "tenants" / "acme" / "a.yaml").write_text(tool("getA").replace("/x", "/changed"))
    assert c.find_tool("acme", "getA").path == "/changed"
    (root / "tenants" / "acme" / "a.yaml").write_text(tool("getA"))
    assert c.find_tool("acme", "getA").path == "/x"


def test_many_changes_write_the_index_anew(catalog, root, reads, monkeypatch):
    catalog().tenant("acme")
    for number in range(20):
        (root / "tenants" / "acme" / f"n{number}.yaml").write_text(tool(f"new{number}"))
    assert catalog().find_tool("acme", "new7")
    reads.clear()
    assert catalog().find_tool("acme", "new7")
    assert reads == []


def test_new_duplicate_beside_the_index_is_found(catalog, root):
    catalog().tenant("acme")
    (root / "tenants" / "acme" / "z.yaml").write_text(tool("getA"))
    with pytest.raises(ConfigError, match=r"a\.yaml:2:3 and tenants/acme/z\.yaml:2:3"):
        catalog().find_tool("acme", "getA")


def test_young_files_are_read_again(catalog, root, monkeypatch, reads):
    monkeypatch.setattr(home, "YOUNG_NS", 60 * 10**9)
    catalog().find_tool("acme", "getA")
    reads.clear()
    c = catalog()
    c.find_tool("acme", "getA")
    assert "tenants/acme/a.yaml" in reads
    path = root / "tenants" / "acme" / "a.yaml"
    status = path.stat()
    path.write_text(tool("getA").replace("/x", "/y"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert c.find_tool("acme", "getA").path == "/y"


def test_times_in_the_future_are_no_reason_to_read_again(catalog, root, monkeypatch, reads):
    monkeypatch.setattr(home, "YOUNG_NS", 50_000_000)
    written = (root / "tenants" / "acme" / "a.yaml").stat().st_ctime_ns
    monkeypatch.setattr(home.time, "time_ns", lambda: written - 3600 * 10**9)
    catalog().find_tool("acme", "getA")
    reads.clear()
    assert catalog().find_tool("acme", "getA")
    assert reads == []


def test_edit_that_keeps_size_and_mtime_is_found(catalog, root, monkeypatch):
    monkeypatch.setattr(home, "YOUNG_NS", 0)
    assert catalog().find_tool("acme", "getA").path == "/x"
    path = root / "tenants" / "acme" / "a.yaml"
    status = path.stat()
    path.write_text(tool("getA").replace("/x", "/y"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert catalog().find_tool("acme", "getA").path == "/y"


def damage(how: str, file: Path) -> None:
    data = file.read_bytes()
    if how == "empty":
        file.write_bytes(b"")
    elif how == "short":
        file.write_bytes(data[:-5])
    elif how == "cut":
        file.write_bytes(data[len(data) // 2 :])
    elif how == "zeros":
        file.write_bytes(bytes(len(data)))
    elif how == "foreign":
        file.write_bytes(b"\x80\x04}q\x00." * 50)
    elif how == "readable by the group to write":
        file.chmod(0o660)
    elif how == "link":
        file.rename(file.with_suffix(".moved"))
        file.symlink_to(file.with_suffix(".moved"))
    elif how == "folder":
        file.unlink()
        file.mkdir()
    elif how == "fifo":
        file.unlink()
        os.mkfifo(file)
    else:
        start = 0 if how == "first half" else len(data) // 2
        stop = start + len(data) // 2 - index.FOOTER.size
        file.write_bytes(data[:start] + bytes(b ^ 0x55 for b in data[start:stop]) + data[stop:])


@pytest.mark.parametrize(
    "how",
    [
        "empty",
        "short",
        "cut",
        "zeros",
        "foreign",
        "readable by the group to write",
        "link",
        "folder",
        "fifo",
        "first half",
        "second half",
    ],
)
def test_damaged_index_is_built_again_without_a_word(catalog, root, cache, how, capfd):
    plain = answers(Catalog(root, environ={}))
    catalog().tenant("acme")
    damage(how, index_path(cache, root, "acme"))
    assert answers(catalog()) == plain
    assert catalog().find_tool("acme", "getA")
    assert capfd.readouterr() == ("", "")


def test_every_single_damaged_byte_is_harmless(catalog, root, cache):
    names = catalog().tool_names("acme")
    file = index_path(cache, root, "acme")
    data = file.read_bytes()
    for position in range(0, len(data), 101):
        file.write_bytes(data[:position] + bytes([data[position] ^ 0xFF]) + data[position + 1 :])
        file.chmod(0o600)
        assert catalog().tool_names("acme") == names


@pytest.mark.parametrize("change", ["version", "root", "yaml"])
def test_index_of_other_versions_or_roots_is_not_used(
    catalog, root, cache, reads, change, monkeypatch
):
    catalog().tenant("acme")
    key = index_key(root, "acme")
    other = {
        "version": (key[0], "0.0.0", *key[2:]),
        "root": (*key[:5], "/elsewhere", key[6]),
        "yaml": (*key[:4], 5, *key[5:]),
    }[change]
    with pytest.raises(DamagedError):
        Index.open(index_path(cache, root, "acme"), other)


def test_index_is_for_the_user_alone(catalog, root, cache):
    catalog().tenant("acme")
    file = index_path(cache, root, "acme")
    assert file.stat().st_mode & 0o777 == 0o600
    assert cache.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in cache.iterdir()) == [file.name]


def test_folder_that_cannot_be_written_is_ignored(root, tmp_path, reads):
    (tmp_path / "file").write_text("")
    c = Catalog(root, environ={}, cache_dir=tmp_path / "file" / "tm")
    assert c.find_tool("acme", "getA")
    assert "tenants/acme/b.yaml" not in reads


def test_write_that_fails_leaves_no_file(root, cache, monkeypatch, catalog):
    def fail(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    c = catalog()
    assert c.find_tool("acme", "getA")
    assert list(cache.iterdir()) == []
    assert c.find_tool("acme", "getB")


def test_production_trusts_the_index_until_it_is_cleared(catalog, root, reads, monkeypatch):
    c = catalog(production=True)
    assert c.find_tool("acme", "getA").path == "/x"
    (root / "tenants" / "acme" / "a.yaml").write_text(tool("getA").replace("/x", "/y"))
    assert c.find_tool("acme", "getA").path == "/x"
    reads.clear()
    again = catalog(production=True)
    assert again.find_tool("acme", "getA").path == "/x"
    assert reads == []
    assert again.clear_cache() >= 1
    assert again.find_tool("acme", "getA").path == "/y"
    assert catalog(production=True).clear_cache() >= 1
    assert catalog(production=True).clear_cache() == 0


def test_one_tenants_index_can_be_cleared_alone(catalog, root):
    (root / "tenants" / "nord").mkdir()
    (root / "tenants" / "nord" / "n.yaml").write_text(tool("getN"))
    c = catalog(production=True)
    c.find_tool("nord", "getN")
    c.find_tool("acme", "getA")
    assert c.clear_cache("nord") == 1
    assert c.clear_cache("nord") == 0
    assert c.clear_cache() >= 1


def test_production_needs_no_index_to_work(root):
    c = Catalog(root, environ={}, production=True)
    assert c.find_tool("acme", "getA")
    assert c.clear_cache() == 0


def test_damaged_listing_in_production(catalog, root, cache, monkeypatch):
    catalog(production=True).tenant("acme")

    def fail(self):
        raise DamagedError

    monkeypatch.setattr(Index, "files", fail)
    assert catalog(production=True).find_tool("acme", "getA")


def test_small_homes_have_no_index(catalog, cache, monkeypatch):
    monkeypatch.setattr(home, "MIN_FILES", 200)
    assert catalog().tenant("acme").tools
    assert not cache.exists()


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, Path("/c/tm")),
        ({"HOME": "/h"}, Path("/h/.cache/tm")),
        ({}, None),
        ({"XDG_CACHE_HOME": "relative"}, None),
        ({"HOME": ""}, None),
    ],
)
def test_cache_folder(environ, folder):
    assert cache_folder(environ) == folder


def test_record_that_is_no_tuple_is_damage(tmp_path):
    path = tmp_path / "x.index"
    write_index(path, ("k",), {"a": (1, 2, 3)}, [Source("a", {"tools": {"t": 1}})])
    opened = Index.open(path, ("k",))
    assert [source.path for source in opened.find("tools", "t")] == ["a"]
    with pytest.raises(DamagedError):
        list(opened._records([7]))
    with pytest.raises(DamagedError):
        index._loads(marshal.dumps([1]), tuple)
    with pytest.raises(DamagedError):
        index._loads(b"\xff\xff", tuple)
    opened.close()
    with pytest.raises(DamagedError):
        list(opened.sources())


def test_clearing_goes_on_where_a_file_cannot_be_deleted(tmp_path, root):
    index_path(tmp_path, root, "acme").mkdir()
    index_path(tmp_path, root, "nord").write_bytes(b"")
    assert index.clear_indexes(tmp_path, root) == 1
