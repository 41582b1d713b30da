from __future__ import annotations

from typing import Any

import pytest

from tests.unit.lint.samples import PATH, finding
from tm.lint.comments import Suppression
from tm.lint.finding import Finding
from tm.lint.settings import Allowed
from tm.lint.suppress import apply_allow, apply_comments, path_fits


def comment(*codes: str, reason: str = "why", line: int = 1) -> Suppression:
    return Suppression(line, 1, codes, reason, (line, line + 1))


def with_comments(
    findings: list[Finding], *comments: Suppression, judged: Any = lambda _: True
) -> list[Finding]:
    return apply_comments(findings, {PATH: comments}, judged)


def codes(findings: list[Finding]) -> list[tuple[str, int | None]]:
    return [(found.code, found.at.line) for found in findings]


def test_a_finding_on_a_covered_line_is_gone() -> None:
    assert with_comments([finding("TM110", 1), finding("TM110", 2)], comment("TM110")) == []


def test_other_lines_codes_and_files_stay() -> None:
    given = [finding("TM110", 3), finding("TM102"), finding("TM110", path="tenants/b/a.yaml")]
    kept = with_comments([*given, finding("TM110", 2)], comment("TM110"))
    assert kept == given


def test_each_unused_code_is_a_finding_of_its_own() -> None:
    kept = with_comments([finding("TM110")], comment("TM102", "TM110", "TM114"))
    assert codes(kept) == [("TM901", 1), ("TM901", 1)]
    assert ["TM102" in kept[0].message, "TM114" in kept[1].message] == [True, True]
    assert kept[0].tenant == "depot"


def test_without_a_reason_it_suppresses_and_is_told() -> None:
    kept = with_comments([finding("TM110")], comment("TM110", reason=""))
    assert codes(kept) == [("TM901", 1)]
    assert "no reason" in kept[0].message


def test_a_comment_that_is_unused_and_without_reason_is_told_once() -> None:
    assert len(with_comments([], comment("TM110", reason=""))) == 1


def test_a_security_rule_stays_and_the_comment_is_told() -> None:
    kept = with_comments([finding("TM302")], comment("TM302"))
    assert codes(kept) == [("TM302", 2), ("TM901", 1)]
    assert "security" in kept[1].message
    assert "pyproject.toml" in str(kept[1].help)


@pytest.mark.parametrize("code", ["TM901", "TM902"])
def test_what_the_linter_says_of_itself_can_not_be_suppressed(code: str) -> None:
    assert codes(with_comments([finding(code)], comment(code))) == [(code, 2), ("TM901", 1)]


@pytest.mark.parametrize("code", ["TM999", "TM5", "TM504", "E501"])
def test_an_unknown_code_is_told(code: str) -> None:
    (kept,) = with_comments([], comment(code))
    assert code in kept.message


def test_no_code_at_all_is_told() -> None:
    (kept,) = with_comments([], comment())
    assert "no code" in kept.message


def test_a_code_that_was_not_looked_for_is_not_called_unused() -> None:
    assert with_comments([], comment("TM110"), judged=lambda code: code != "TM110") == []


def allowed(code: str = "TM302", path: str = PATH, reason: str = "why") -> Allowed:
    return Allowed(code, path, reason, 7)


def with_allow(
    findings: list[Finding], *entries: Allowed, judged: Any = lambda _: True
) -> list[Finding]:
    return apply_allow(findings, entries, judged)


def test_an_entry_allows_its_code_in_its_files() -> None:
    other = finding("TM302", path="tenants/other/a.py")
    assert with_allow([finding("TM302"), other], allowed(path="tenants/depot/**")) == [other]


def test_an_entry_that_allows_nothing_is_told_at_its_line() -> None:
    (kept,) = with_allow([], allowed())
    assert (kept.code, kept.at.path, kept.at.line, kept.tenant) == (
        "TM901",
        "pyproject.toml",
        7,
        None,
    )
    assert with_allow([], allowed(), judged=lambda _: False) == []


def test_an_entry_without_a_reason_allows_nothing() -> None:
    kept = with_allow([finding("TM302")], allowed(reason=""))
    assert codes(kept) == [("TM302", 2), ("TM901", 7)]


def test_an_entry_for_the_linters_own_codes_is_told() -> None:
    kept = with_allow([finding("TM902")], allowed("TM902"))
    assert codes(kept) == [("TM902", 2), ("TM901", 7)]


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("tenants/a/b.py", "tenants/a/b.py", True),
        ("tenants/a/*.py", "tenants/a/b.py", True),
        ("tenants/a/*.py", "tenants/a/x/b.py", False),
        ("tenants/a/**/*.py", "tenants/a/x/y/b.py", True),
        ("tenants/a/**/*.py", "tenants/a/b.py", True),
        ("tenants/a/**", "tenants/a/x/b.py", True),
        ("tenants/a/", "tenants/a/x/b.py", True),
        ("tenants/a", "tenants/a/x/b.py", False),
        ("tenants/a/[x].py", "tenants/a/[x].py", True),
        ("tenants/a/?.py", "tenants/a/bb.py", False),
        ("**", "tenants/a/b\n.py", True),
        ("tenants/***/b.py", "tenants/a/b/b.py", True),
    ],
)
def test_paths_of_entries_are_globs(pattern: str, path: str, fits: bool) -> None:
    assert path_fits(pattern, path) is fits
