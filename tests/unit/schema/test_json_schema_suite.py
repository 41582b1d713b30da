"""The JSON-Schema-Test-Suite (tests/data/json-schema-test-suite), through both judges.

Every place where tm answers otherwise than the suite is in `DIFFERENCES` with its reason.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from tm.errors import ConfigError
from tm.schema.decide import compile_decider
from tm.schema.dialect import dialect_of
from tm.schema.validator import Explainer

SUITE = Path(__file__).parents[2] / "data" / "json-schema-test-suite" / "tests"

REMOTE = "nothing outside the schema is read: refused as TM103 (SPEC 4.1)"
FORMAT = "format is checked, not noted (SPEC 4.1)"
OWN_META = "$schema names a meta-schema of its own: refused as TM103 (SPEC 3.1)"
NO_CONTENT = "contentEncoding and contentMediaType are notes, as 2020-12 has it"
NO_PROPERTY = r"Python has no \p{...}: TM119 (SPEC 4.1)"
NO_CONTROL = r"Python has no \cX: TM119 (SPEC 4.1)"
UNICODE = r"\d, \w and \s are Python's, which also know what is not ASCII"
PYTHON_REGEX = "format regex means a pattern that tm can use, so Python's"

DIFFERENCES = [
    # (part of the file's path, part of the group's name, reason, tests)
    ("draft2020-12/dynamicRef.json", "tests for implementation dynamic anchor", REMOTE, 3),
    ("draft2020-12/dynamicRef.json", "independent of order - $ref first", REMOTE, 3),
    ("draft2020-12/refRemote.json", "", REMOTE, 15),
    ("draft7/refRemote.json", "", REMOTE, 13),
    ("draft7/optional/cross-draft.json", "refs to future drafts", REMOTE, 1),
    ("draft2020-12/format.json", "", FORMAT, 10),
    ("draft2020-12/optional/format-assertion.json", "custom metaschema", OWN_META, 2),
    ("draft2020-12/vocabulary.json", "unrecognized optional vocabulary", OWN_META, 2),
    ("draft7/optional/content.json", "", NO_CONTENT, 3),
    ("pattern.json", "Unicode property escape", NO_PROPERTY, 3),
    ("patternProperties.json", "Unicode property escape", NO_PROPERTY, 2),
    ("ecmascript-regex.json", "patterns always use unicode semantics", NO_PROPERTY, 8),
    ("ecmascript-regex.json", "patternProperties with non-ASCII digits", NO_PROPERTY, 6),
    ("ecmascript-regex.json", "escapes control codes", NO_CONTROL, 4),
    ("ecmascript-regex.json", r"ECMA 262 \D", UNICODE, 4),
    ("ecmascript-regex.json", r"ECMA 262 \W", UNICODE, 2),
    ("ecmascript-regex.json", r"ECMA 262 \S", UNICODE, 2),
    ("ecmascript-regex.json", r"\w in patterns", UNICODE, 4),
    ("ecmascript-regex.json", r"\d in pattern", UNICODE, 2),
    ("format/ecmascript-regex.json", "Python-specific", PYTHON_REGEX, 2),
    ("format/ecmascript-regex.json", "global inline flag", PYTHON_REGEX, 2),
    ("format/ecmascript-regex.json", "named groups", PYTHON_REGEX, 2),
    ("format/ecmascript-regex.json", "lookbehind", PYTHON_REGEX, 2),
    ("format/ecmascript-regex.json", "character classes", PYTHON_REGEX, 2),
]

FILES = sorted(path.relative_to(SUITE).as_posix() for path in SUITE.rglob("*.json"))


def groups(file):
    for group in json.loads((SUITE / file).read_text("utf-8")):
        schema = group["schema"]
        if file.startswith("draft7") and isinstance(schema, dict) and "$schema" not in schema:
            schema = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
        yield group["description"], schema, group["tests"]


def explainer(schema):
    try:
        return Explainer(schema)
    except ConfigError:
        return None


def decider(schema):
    try:
        return compile_decider(schema, dialect_of(schema)) if isinstance(schema, dict) else None
    except ConfigError:
        return None


def row_of(file, group):
    rows = [row for row in DIFFERENCES if row[0] in file and row[1] in group]
    return max(rows, key=lambda row: len(row[0]) + len(row[1]), default=None)


def differing():
    for file in FILES:
        for description, schema, tests in groups(file):
            judge = explainer(schema)
            for test in tests:
                valid = None if judge is None else not judge.failures(test["data"])
                if valid is not test["valid"]:
                    yield file, description, test["description"]


def test_every_difference_from_the_suite_is_listed_with_its_reason():
    found = Counter()
    for file, group, test in differing():
        row = row_of(file, group)
        assert row is not None, f"{file}: {group}: {test}"
        found[row[:2]] += 1
    assert found == {row[:2]: row[3] for row in DIFFERENCES}


@pytest.mark.parametrize("file", FILES)
def test_the_decider_agrees_with_jsonschema(file):
    for description, schema, tests in groups(file):
        decide = decider(schema)
        if decide is None:
            continue
        judge = explainer(schema)
        assert judge is not None, f"{description}: the decider took a schema that is not sound"
        for test in tests:
            assert decide(test["data"]) is not bool(judge.failures(test["data"])), test


def test_the_decider_decides_most_of_the_suite():
    counts = Counter()
    for file in FILES:
        for _, schema, tests in groups(file):
            counts[decider(schema) is not None] += len(tests)
    assert counts[True] > 3 * counts[False]


def test_every_failure_is_worded_and_none_shows_the_validators_own_words():
    for file in FILES:
        for _, schema, tests in groups(file):
            judge = explainer(schema)
            for test in tests if judge else ():
                for detail in judge.failures(test["data"]):
                    assert detail.message
                    assert "is not valid under" not in detail.message
