from __future__ import annotations

import os
from pathlib import Path

import pytest

from tm.errors import UsageError
from tm.lint.settings import Allowed, Settings, read_settings

WHOLE = """
[project]
name = "shop"

[tool.tm.lint]
select = ["TM1", "tm3"]
ignore = ["TM110"]
strict = true
baseline = "lint-baseline.json"
allow = [
  # {code = "TM301"} is no entry
  {code = "TM302", path = "tenants/a/{x}.py", reason = "reads } its own [list]"},
  {code = "TM303", path = "./tenants/a/run.py", reason = " why "}, {code = "TM110", path = "**"},
]
"""


def settings_of(root: Path, text: str | bytes) -> Settings:
    data = text if isinstance(text, bytes) else text.encode()
    (root / "pyproject.toml").write_bytes(data)
    return read_settings(root)


def refusal(root: Path, text: str | bytes) -> str:
    with pytest.raises(UsageError) as error:
        settings_of(root, text)
    assert error.value.exit_code == 2
    return str(error.value)


def test_no_file_and_no_table_are_the_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == Settings()
    assert settings_of(tmp_path, "[tool.other]\nx = 1\n") == Settings()
    assert settings_of(tmp_path, "") == Settings()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_key_is_read_and_entries_have_their_lines(tmp_path: Path, end: str) -> None:
    found = settings_of(tmp_path, WHOLE.replace("\n", end))
    assert found.selection.select == ("TM1", "TM3")
    assert found.selection.ignore == ("TM110",)
    assert (found.strict, found.baseline) == (True, "lint-baseline.json")
    assert found.allow == (
        Allowed("TM302", "tenants/a/{x}.py", "reads } its own [list]", 12),
        Allowed("TM303", "tenants/a/run.py", "why", 13),
        Allowed("TM110", "**", "", 13),
    )
    assert found.lines[4] == "[tool.tm.lint]"


def test_entries_may_be_tables(tmp_path: Path) -> None:
    text = '[[tool.tm.lint.allow]]\ncode="TM302"\npath="a"\n\n' * 2
    assert [entry.line for entry in settings_of(tmp_path, text).allow] == [1, 5]


@pytest.mark.parametrize(
    "text",
    [
        '[tool]\ntm.lint.allow = [{code = "TM302", path = "a"}]\n',
        '[tool]\ntm = {lint = {allow = [{code = "TM302", path = "a"}]}}\n',
        'tool.tm.lint.allow = [{code = "TM302", path = "a"}]\n',
    ],
)
def test_odd_spellings_have_some_line(tmp_path: Path, text: str) -> None:
    assert settings_of(tmp_path, text).allow[0].line in {1, 2}


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ignored = []", "did you mean 'ignore'"),
        ("strict = 1", "true or false"),
        ('select = "TM1"', "a list"),
        ("select = [1]", "as texts"),
        ('ignore = ["TM999"]', "no lint code begins so"),
        ("baseline = true", "a text"),
        ("allow = {}", "a list"),
        ('allow = ["TM302"]', "an entry of allow"),
        ('allow = [{code = "TM302"}]', "no path"),
        ('allow = [{path = "a"}]', "no code"),
        ('allow = [{code = "TM3", path = "a"}]', "no lint code"),
        ('allow = [{code = "TM302", path = "a", reson = "x"}]', "did you mean 'reason'"),
        ('allow = [{code = "TM302", path = 3}]', "are texts"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, line: str, word: str) -> None:
    said = refusal(tmp_path, f"[project]\n\n[tool.tm.lint]\n{line}\n")
    assert said.startswith("pyproject.toml:4: ")
    assert word in said


@pytest.mark.parametrize(
    "text",
    [b"[tool", b"x = \xff", b"[tool]\ntm = 1\n", b"tool = 1\n", b"x = " + b"[" * 100_000],
)
def test_a_file_that_is_no_settings_is_refused(tmp_path: Path, text: bytes) -> None:
    assert refusal(tmp_path, text).startswith("pyproject.toml:")


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pyproject.toml")
    with pytest.raises(UsageError, match="no regular file"):
        read_settings(tmp_path)


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").symlink_to("gone.toml")
    with pytest.raises(UsageError, match="no regular file"):
        read_settings(tmp_path)
