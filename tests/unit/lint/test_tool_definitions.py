"""Published definitions of tools, linted: no crash, and exactly the flaws that they have.

What is expected is worked out here, from the definitions themselves and from what the notes of
the data (SOURCE.txt, `schema_problems`) name, not from tm's own checks.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.tool_definitions import (
    TYPES,
    Definition,
    flat,
    nested,
    read_definitions,
    with_json_types,
    write_tenants,
)
from tests.unit.lint.fixing import mend
from tests.unit.lint.samples import lint_root
from tm.config.yaml_source import parse_yaml
from tm.lint.finding import Finding

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "tests/data/tool-definitions"
WHOLE = ROOT.parent / "shared/data/tool-definitions"
SET_NAMES = ("bfcl", "mcp", "tau-bench", "toolbench")
NO_DEFINITIONS = re.compile(r"_tasks|_chats_")
FITS_NO_VALUE = frozenset(
    {
        "default does not fit type",
        "default null but type not nullable",
        "enum value does not fit type",
    }
)

Found = dict[int, list[Finding]]


def files_of(folder: Path) -> list[Path]:
    found = sorted(path for kind in ("*.json", "*.jsonl") for path in folder.rglob(kind))
    return [path for path in found if not NO_DEFINITIONS.search(path.name)]


SETS = [pytest.param(path, id=f"sample/{path.relative_to(SAMPLE)}") for path in files_of(SAMPLE)]
SETS += [pytest.param(path, id=f"whole/{path.relative_to(WHOLE)}") for path in files_of(WHOLE)]


def mapped(definition: Definition) -> tuple[str, dict[str, Any]]:
    name, fields = flat(definition)
    return name, with_json_types(fields)


def linted(root: Path, definitions: list[Definition], form: Callable[[Definition], Any]) -> Found:
    """Return what is found in each definition; nothing may be found beside them."""
    paths = write_tenants(root, [form(one) for one in definitions])
    found: Found = {number: [] for number in range(len(definitions))}
    for finding in lint_root(root).findings:
        found[paths[finding.at.path]].append(finding)
    return found


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and those below it."""
    yield schema
    for name in ("properties", "$defs", "definitions"):
        for below in schema.get(name, {}).values():
            yield from schemas_in(below)
    for name in ("items", "additionalProperties", "not"):
        if isinstance(schema.get(name), dict):
            yield from schemas_in(schema[name])
    for name in ("anyOf", "oneOf", "allOf"):
        for below in schema.get(name, ()):
            yield from schemas_in(below)


def foreign_types(schema: Any) -> Counter[str]:
    named = (one.get("type") for one in schemas_in(schema))
    return Counter(name for name in named if isinstance(name, str) and name in TYPES)


def undescribed(schema: Any) -> int:
    """Count the properties that nothing describes, neither they nor one of their forms."""
    every = [one for here in schemas_in(schema) for one in here.get("properties", {}).values()]
    return sum(not any(below.get("description") for below in forms(one)) for one in every)


def forms(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    for name in ("anyOf", "oneOf", "allOf"):
        for below in schema.get(name, ()):
            yield from forms(below)


def unfitting(schema: Any) -> int:
    """Count the schemas whose own default, or a value of whose own enum, does not fit."""
    return sum(not all(map(fits_in(one), stated(one))) for one in schemas_in(schema))


def stated(schema: Any) -> list[Any]:
    return [*schema.get("enum", ()), *([schema["default"]] if "default" in schema else [])]


def fits_in(schema: Any) -> Callable[[Any], bool]:
    return Draft202012Validator({key: v for key, v in schema.items() if key != "$schema"}).is_valid


def lost_names(schema: Any) -> int:
    every = list(schemas_in(schema))
    return sum(
        name not in one.get("properties", {}) for one in every for name in one.get("required", ())
    )


def expected(name: str, fields: dict[str, Any]) -> Counter[str]:
    """Return how often each code is to be found in a tool whose types are JSON's."""
    schema = fields["parameters"]
    codes = Counter(
        TM102=not fields.get("description", "").strip(),
        TM103=unfitting(schema),
        TM104=lost_names(schema),
        TM110=1,
        TM114=undescribed(schema),
        TM115=not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name),
    )
    return +codes


@pytest.mark.parametrize("path", SETS)
def test_a_set_has_exactly_the_flaws_that_are_in_it(path: Path, tmp_path: Path) -> None:
    definitions = list(read_definitions(path))
    assert definitions
    found = linted(tmp_path, definitions, mapped)
    for number, definition in enumerate(definitions):
        name, fields = mapped(definition)
        codes = Counter(finding.code for finding in found[number])
        assert codes == expected(name, fields), (name, [str(f.message) for f in found[number]])


@pytest.mark.parametrize("path", SETS)
def test_each_type_of_another_language_is_found_on_its_line(path: Path, tmp_path: Path) -> None:
    definitions = list(read_definitions(path))
    found = linted(tmp_path, definitions, flat)
    for number, definition in enumerate(definitions):
        foreign = foreign_types(flat(definition)[1]["parameters"])
        lines = [line_of(tmp_path, one) for one in found[number] if one.code == "TM103"]
        if foreign:
            assert Counter(re.sub(r'.*"type": "(.*)",?', r"\1", line) for line in lines) == foreign


def line_of(root: Path, finding: Finding) -> str:
    assert finding.at.line is not None
    return (root / finding.at.path).read_text("utf-8").splitlines()[finding.at.line - 1]


@pytest.mark.parametrize("path", SETS)
def test_each_problem_that_the_notes_name_is_found(path: Path, tmp_path: Path) -> None:
    definitions = list(read_definitions(path))
    as_they_are = linted(tmp_path / "flat", definitions, flat)
    with_types = linted(tmp_path / "mapped", definitions, mapped)
    for number, definition in enumerate(definitions):
        for problem in definition.get("problems", ()):
            found = with_types if problem in FITS_NO_VALUE else as_they_are
            code, word = wanted(problem)
            messages = [one.message for one in found[number] if one.code == code]
            assert not code or any(re.search(word, message) for message in messages), (
                problem,
                messages,
            )


def wanted(problem: str) -> tuple[str, str]:
    """Return the code for a problem, and a word that its message has."""
    if problem.startswith("type "):
        return "TM103", problem.removeprefix("type ").strip("'")
    if problem.startswith("name not allowed"):
        return "TM115", "refuse"
    if problem in FITS_NO_VALUE:
        # The default of an enum that is wrong itself is not told again.
        return "TM103", "enum|default" if problem.startswith("default") else "enum"
    # JSON Schema allows keywords that it does not know.
    assert problem == "unknown keyword optional"
    return "", ""


@pytest.mark.parametrize("path", SETS)
def test_openai_nesting_is_the_one_thing_told_beside_the_name(path: Path, tmp_path: Path) -> None:
    definitions = list(read_definitions(path))
    for number, findings in linted(tmp_path, definitions, nested).items():
        has_bad_name = "TM115" in expected(*mapped(definitions[number]))
        codes = sorted(finding.code for finding in findings)
        assert codes == ["TM101", *(["TM115"] if has_bad_name else [])]


@pytest.mark.parametrize(
    "path",
    files_of(SAMPLE / "mcp") + files_of(SAMPLE / "tau-bench"),
    ids=lambda path: path.name,
)
@pytest.mark.parametrize("style", ["json", "block"])
def test_mended_nesting_says_what_the_definition_says(
    path: Path, style: str, tmp_path: Path
) -> None:
    definitions = list(read_definitions(path))
    tools = {"tools": dict(nested(one) for one in definitions)}
    if style == "json":
        text = json.dumps(tools, indent=2, ensure_ascii=False)
    else:
        text = yaml.safe_dump(tools, sort_keys=False, allow_unicode=True)
    fixes = mend(tmp_path, {"a.yaml": text})
    assert fixes.left == ()
    said = parse_yaml(fixes.files["tenants/shop/a.yaml"], "")
    assert said == {"tools": dict(flat(one) for one in definitions)}


@pytest.mark.parametrize("name", SET_NAMES)
def test_every_set_is_looked_at(name: str) -> None:
    assert files_of(SAMPLE / name)
    if not WHOLE.is_dir():
        pytest.skip("the whole sets stand in ../shared, which is not here")
    assert files_of(WHOLE / name)
