"""Every folder below tests/lint_cases is a workspace, and what the linter must find in it.

`TMnnn/bad/NAME/expected.txt` has the findings, one `path:line CODE` a line, all of them.
A folder `TMnnn/good/NAME` is close to what the rule looks for, and has none.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lint.samples import lint_root
from tm.lint.catalog import RULES

CASES = Path(__file__).parents[2] / "lint_cases"
BAD = sorted(CASES.glob("TM*/bad/*"))
GOOD = sorted(CASES.glob("TM*/good/*"))


def case_id(folder: Path) -> str:
    return str(folder.relative_to(CASES))


def found_in(folder: Path) -> list[str]:
    report = lint_root(folder)
    return sorted(f"{f.at.path}:{f.at.line or 1} {f.code}" for f in report.findings)


@pytest.mark.parametrize("folder", BAD, ids=case_id)
def test_a_bad_case_has_exactly_the_findings_it_names(folder: Path) -> None:
    lines = (folder / "expected.txt").read_text("utf-8").splitlines()
    expected = sorted(line for line in lines if line.strip() and not line.startswith("#"))
    assert found_in(folder) == expected
    assert any(line.endswith(folder.parts[-3]) for line in expected)


@pytest.mark.parametrize("folder", GOOD, ids=case_id)
def test_a_good_case_stays_silent(folder: Path) -> None:
    assert found_in(folder) == []


@pytest.mark.parametrize("code", sorted({path.parts[-3] for path in (*BAD, *GOOD)}))
def test_a_code_has_cases_of_both_kinds(code: str) -> None:
    assert any(path.parts[-3] == code for path in BAD)
    assert any(path.parts[-3] == code for path in GOOD)


@pytest.mark.parametrize(
    "code", sorted({code for rule in RULES for code in rule.codes or (rule.code,)})
)
def test_every_code_of_a_rule_has_bad_and_good_cases(code: str) -> None:
    if code != "TM902":  # a file that can't be read has to be made by a test
        assert list(CASES.glob(f"{code}/bad/*"))
        assert list(CASES.glob(f"{code}/good/*"))
