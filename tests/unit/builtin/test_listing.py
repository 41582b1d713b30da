"""listFiles."""

from __future__ import annotations

import os

import pytest

from tm.builtin import listing
from tm.errors import ToolError

FILES = ("a.txt", "b.csv", "2026/03/r.csv", "2026/03/r.pdf", "2026/r.csv", "x/.hidden", "c [1].txt")


@pytest.fixture(autouse=True)
def filled(shop):
    for path in FILES:
        shop.write(f"files/{path}", path)
        os.utime(shop.files / path, (1_772_366_400, 1_772_366_400))


def paths(shop, **args) -> list[str]:
    return [row["path"] for row in shop.call("listFiles", **args)["files"]]


def test_all_files_are_listed_with_size_and_time(shop):
    rows = shop.call("listFiles")["files"]
    assert rows[0] == {"path": "2026/03/r.csv", "size": 13, "modified": "2026-03-01T12:00:00Z"}
    assert [row["path"] for row in rows] == sorted(set(FILES) - {"x/.hidden"})


def test_a_folder_is_listed_with_paths_that_can_be_read(shop):
    found = paths(shop, path="2026")
    assert found == ["2026/03/r.csv", "2026/03/r.pdf", "2026/r.csv"]
    assert shop.call("readFile", path=found[0])["content"] == "2026/03/r.csv"
    assert paths(shop, path=".") == paths(shop)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.csv", ["2026/03/r.csv", "2026/r.csv", "b.csv"]),
        ("r.*", ["2026/03/r.csv", "2026/03/r.pdf", "2026/r.csv"]),
        ("./*.csv", ["b.csv"]),
        ("2026/*.csv", ["2026/r.csv"]),
        ("2026/**/*.csv", ["2026/03/r.csv", "2026/r.csv"]),
        ("**/r.pdf", ["2026/03/r.pdf"]),
        ("2026/**", ["2026/03/r.csv", "2026/03/r.pdf", "2026/r.csv"]),
        ("?.txt", ["a.txt"]),
        ("[ab].*", ["a.txt", "b.csv"]),
        ("[!a].*", ["2026/03/r.csv", "2026/03/r.pdf", "2026/r.csv", "b.csv"]),
        ("c [[]1].txt", ["c [1].txt"]),
        ("{a,b}.txt", []),
        ("../*", []),
        ("nothing/**/x", []),
        ("[", []),
    ],
)
def test_patterns(shop, pattern, expected):
    assert paths(shop, pattern=pattern) == expected


def test_a_pattern_counts_from_the_listed_folder(shop):
    assert paths(shop, path="2026", pattern="03/*") == ["2026/03/r.csv", "2026/03/r.pdf"]


def test_a_pattern_of_stars_takes_no_time(shop):
    shop.write(f"files/{'a' * 250}", "x")
    assert paths(shop, pattern="*a" * 60 + "*b") == []
    assert paths(shop, pattern="**/" * 60 + "nothing") == []


def test_links_are_left_out(shop, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/secret.txt").write_text("s")
    (shop.files / "linked").symlink_to(tmp_path / "out")
    (shop.files / "link.txt").symlink_to(tmp_path / "out/secret.txt")
    assert paths(shop) == sorted(set(FILES) - {"x/.hidden"})
    with pytest.raises(ToolError) as caught:
        paths(shop, path="linked")
    assert caught.value.code == "TM518"


def test_names_that_are_no_text_are_left_out(shop):
    (shop.files / os.fsdecode(b"\xff.txt")).write_text("x")
    assert "a.txt" in paths(shop)


def test_a_time_that_no_calendar_knows_is_no_crash(shop):
    os.utime(shop.files / "a.txt", ns=(0, -5_000_000_000))
    rows = shop.call("listFiles", pattern="a.txt")["files"]
    assert rows[0]["modified"] == "1970-01-01T00:00:00Z"


def test_long_answers_are_cut_and_say_so(shop, monkeypatch):
    monkeypatch.setattr(listing, "MAX_LISTED", 2)
    answer = shop.call("listFiles")
    assert [row["path"] for row in answer["files"]] == ["2026/03/r.csv", "2026/03/r.pdf"]
    assert (answer["truncated"], answer["total"]) == (True, 6)
    assert "warning" in shop.levels()


def test_a_huge_folder_is_not_walked_to_its_end(shop, monkeypatch):
    monkeypatch.setattr(listing, "MAX_SEEN", 3)
    answer = shop.call("listFiles")
    assert answer["truncated"] is True
    assert len(answer["files"]) <= 4


def test_nothing_written_yet_is_an_empty_list(shop):
    shop.files.rename(shop.folder / "elsewhere")
    assert shop.call("listFiles") == {"files": []}


def test_a_missing_folder_names_the_nearest_and_a_file_is_none(shop):
    with pytest.raises(ToolError, match="did you mean '2026'") as caught:
        paths(shop, path="2025")
    assert caught.value.code == "TM501"
    with pytest.raises(ToolError) as caught:
        paths(shop, path="a.txt")
    assert caught.value.code == "TM518"


def test_folders_deeper_than_a_path_may_be_are_left_out(shop):
    shop.write("files/" + "d/" * 17 + "deep.txt", "x")
    assert "deep.txt" not in " ".join(paths(shop))


def test_a_folder_that_goes_or_becomes_a_link_meanwhile_is_passed_over(shop, monkeypatch, tmp_path):
    scan = os.scandir

    def swap(fd):
        entries = scan(fd)
        if (shop.files / "x").is_dir() and not (shop.files / "x").is_symlink():
            (shop.files / "x").rename(tmp_path / "x")
            (shop.files / "x").symlink_to(tmp_path)
        return entries

    monkeypatch.setattr(os, "scandir", swap)
    assert "a.txt" in paths(shop)
    assert not any(path.startswith("x/") for path in paths(shop))
