from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.unit.lint.samples import PATH, UNKNOWN_API, finding, lint_root, places
from tm.errors import UsageError
from tm.lint.baseline import compare, read_baseline, write_baseline

LINES = ["tools:", "  a: {}", "  b:  {} ", "  a:   {}"]


def lines_of(_: str) -> Sequence[str]:
    return LINES


def known_by(path: Path) -> object:
    return read_baseline(path, "b.json")


def test_findings_that_are_known_are_left_out_until_there_are_more(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    old = [finding("TM110", 2), finding("TM102", 3)]
    write_baseline(path, "b.json", old, lines_of)
    known = read_baseline(path, "b.json")
    assert known is not None
    again = compare([*old, finding("TM110", 4)], known, lines_of, lambda *_: True)
    assert again.new == (finding("TM110", 4),)
    assert (again.known, again.stale) == (2, ())


def test_what_is_not_found_any_more_is_told_where_it_was_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    write_baseline(path, "b.json", [finding("TM110"), finding("TM102")], lines_of)
    known = read_baseline(path, "b.json")
    assert known is not None
    compared = compare([], known, lines_of, lambda _, code: code != "TM102")
    assert compared.stale == ((PATH, "TM110"),)


def test_the_file_is_the_same_for_the_same_findings_and_holds_no_source(tmp_path: Path) -> None:
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    findings = [finding("TM310", 2), finding("TM110", 2), finding("TM110", 2, path="a\nb")]
    write_baseline(first, "1", findings, lines_of)
    write_baseline(second, "2", findings[::-1], lines_of)
    assert first.read_bytes() == second.read_bytes()
    assert "a: {}" not in first.read_text()
    assert next(entry["path"] for entry in json.loads(first.read_text())["findings"]) == "a\nb"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.json", "2.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"findings": [{}]}',
        '{"findings": 3}',
        '{"findings": [{"path": 1, "code": "TM1", "line": "x", "count": 1}]}',
        '{"findings": [{"path": "a", "code": "TM1", "line": "x", "count": 0}]}',
        '{"findings": [{"path": "a", "code": "TM1", "line": [], "count": 1}]}',
        "[" * 100_000,
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(UsageError, match="can't be used"):
        read_baseline(path, "b.json")


def test_a_folder_is_no_baseline(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no regular file"):
        read_baseline(tmp_path, "b.json")


def test_a_baseline_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "gone" / "b.json", tmp_path / "file" / "b.json"):
        with pytest.raises(UsageError, match="can't be written"):
            write_baseline(path, "b.json", [finding()], lines_of)


def test_lines_above_and_indentation_do_not_make_a_finding_new(workspace, tmp_path: Path) -> None:
    root = workspace({"tenants/depot/a.yaml": UNKNOWN_API})
    baseline = (tmp_path / "b.json", "b.json")
    first = lint_root(root, baseline=baseline)
    assert (first.findings, first.is_ok) == ((), True)
    assert "written with" in first.notes[0]

    path = root / "tenants/depot/a.yaml"
    path.write_text("# owner: tour planning\n\n" + path.read_text())
    assert lint_root(root, baseline=baseline).findings == ()

    path.write_text(path.read_text().replace("api: tms", "api: tms2"))
    report = lint_root(root, baseline=baseline)
    assert [code for _, _, code in places(report)] == ["TM106"]
    assert "left over" in report.notes[-1]
    other = lint_root(root, baseline=baseline, tenant="depot", since=None)
    assert other.notes == report.notes


def test_a_baseline_from_the_settings_is_found_from_any_folder(tm_command, workspace) -> None:
    settings = '[tool.tm.lint]\nbaseline = "known.json"\nselect = ["TM106"]\n'
    root = workspace({"tenants/depot/a.yaml": UNKNOWN_API, "pyproject.toml": settings})
    first = tm_command("lint", cwd=root / "tenants/depot")
    assert "known.json written with 1 finding" in first.stderr
    assert tm_command("lint", "--json", cwd=root).json["ok"] is True
    assert (root / "known.json").is_file()
