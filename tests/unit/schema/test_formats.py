import json
from pathlib import Path

import pytest

from tm.schema.formats import CHECKERS

FILE = Path(__file__).parents[2] / "data" / "formats" / "cases.json"
CASES = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["format"])
def test_a_format_takes_what_its_standard_takes(case):
    check = CHECKERS[case["format"]]
    assert [text for text in case["good"] if not check(text)] == []
    assert [text for text in case["bad"] if check(text)] == []


def test_every_format_is_tried_and_refuses_line_breaks():
    assert {case["format"] for case in CASES} == set(CHECKERS)
    for case in CASES:
        if case["format"] not in {"regex", "json-pointer", "relative-json-pointer"}:
            assert not CHECKERS[case["format"]](case["good"][0] + "\n"), case["format"]


def test_right_to_left_names_bind_all_labels():
    check = CHECKERS["idn-hostname"]
    assert check("\u05d0\u05d1.example")
    assert not check("0\u05d0.example")
    assert not check("1a.\u05d0")
