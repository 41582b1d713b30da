"""The YAML test suite: what is read is read right, what is broken is refused.

The differences are listed with their reasons. Data: tests/data/yaml-test-suite (MIT, SOURCE.txt).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tm.config.yaml_source import parse_yaml
from tm.errors import ConfigError

DATA = Path(__file__).parents[2] / "data" / "yaml-test-suite"

# libyaml is a parser of YAML 1.1 and milder than 1.2 here; the values are harmless.
READ_THOUGH_BROKEN = {"9JBA", "G5U8", "S98Z", "X4QW", "Y79Y/003"}
# Read, but with another value: libyaml's reading of `?` and `:` beside plain words, of a blank
# line at the end of a block text, and of the tag `!`, which it does not report.
OTHER_VALUE = {"652Z", "HM87/01", "JEF9/02", "S4JQ", "Y2GN"}
# Valid YAML that libyaml can't parse.
NOT_PARSED = {
    "2SXE", "4MUZ/00", "4MUZ/02", "58MP", "6BCT", "7Z25", "8XYN", "96NN/00", "DK3J", "DK95/04",
    "FP8R", "HWV9", "K3WX", "MUS6/05", "R4YG", "VJP3/01", "W4TN",
}  # fmt: skip
# Refused on purpose: an anchor that is used twice (case Y065), tags, several documents.
REFUSED = {
    "3GZX", "33X3", "565N", "5TYM", "6CK3", "6WLZ", "6XDY", "735Y", "7FWL", "9DXL", "BU8L", "C4HZ",
    "EHF6", "HMQ5", "L383", "P76L", "PUW8", "U3C3", "U9NS", "WZ62", "Z9M4",
}  # fmt: skip


def cases(name: str) -> list[dict]:
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def documents(text: str) -> list:
    decoder, found = json.JSONDecoder(), []
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def read(case: dict):
    return parse_yaml(case["yaml"].encode(), "suite.yaml")


@pytest.mark.parametrize("case", cases("must_fail"), ids=lambda case: case["id"])
def test_broken_yaml_is_refused(case):
    if case["id"] in READ_THOUGH_BROKEN:
        read(case)
        return
    with pytest.raises(ConfigError):
        read(case)


@pytest.mark.parametrize("case", cases("valid_with_json"), ids=lambda case: case["id"])
def test_valid_yaml_has_the_expected_value_or_a_known_reason(case):
    if case["id"] in NOT_PARSED | REFUSED:
        with pytest.raises(ConfigError):
            read(case)
    elif case["id"] in OTHER_VALUE:
        read(case)
    else:
        assert [read(case)] == (documents(case["json_docs_text"]) or [None])


@pytest.mark.parametrize("case", cases("valid_no_json"), ids=lambda case: case["id"])
def test_yaml_without_a_json_form_is_refused(case):
    with pytest.raises(ConfigError):
        read(case)
