"""The config's JSON Schema and the light check are made from the same tables and agree."""

from __future__ import annotations

import jsonschema
import pytest

from tm.config.config_schema import config_schema
from tm.config.fields import TOOL_FIELDS, is_kind
from tm.config.shape import unknown_sections
from tm.config.source import SECTIONS, Source

VALUES = {
    "text": ["a", ""],
    "number": [1, 1.5, -1],
    "boolean": [True],
    "null": [None],
    "mapping": [{}, {"connect": 1}, {"attempts": 2}, {"type": "link"}, {"type": "bearer"}],
    "list": [
        [],
        ["a"],
        [{"name": "a"}],
        [{"name": "a", "args": {}, "status": 3}],
        [{"name": 5}],
        [1],
    ],
    "words": ["json", "repeat", "GET"],
    "sizes": [0, 1, 100, 101],
}


def test_schema_is_valid_and_covers_every_section():
    schema = config_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["properties"]) == set(SECTIONS)


def test_every_field_is_described():
    tool = config_schema()["properties"]["tools"]["additionalProperties"]
    assert all(field["description"] for field in tool["properties"].values())


@pytest.mark.parametrize("name", [name for name in TOOL_FIELDS if name != "method"])
@pytest.mark.parametrize(
    "value", [value for values in VALUES.values() for value in values], ids=repr
)
def test_check_and_schema_agree(name, value):
    tool = config_schema()["properties"]["tools"]["additionalProperties"]
    valid = jsonschema.Draft202012Validator(tool["properties"][name]).is_valid(value)
    assert is_kind(value, TOOL_FIELDS[name].kind) == valid


def test_good_config_is_valid():
    config = {
        "tools": {
            "t": {"description": "d", "api": "a", "method": "GET", "path": "/", "timeout": 5}
        },
        "apis": {"a": {"base_url": "http://x", "retry": {"attempts": 2}}},
        "assistants": {"s": {"tools": ["t"], "model": "m", "temperature": 0.5}},
        "scheduled": {"d": {"cron": "* * * * *", "tool": "t"}},
        "settings": {"providers": {"p": {"base_url": "u"}}, "own": 1},
    }
    assert jsonschema.Draft202012Validator(config_schema()).is_valid(config)


@pytest.mark.parametrize(
    "config", [{}, {"tool": {}}, {"tools": {"t": {"mappings": {}}}}, {"tools": []}]
)
def test_bad_config_is_not(config):
    assert not jsonschema.Draft202012Validator(config_schema()).is_valid(config)


def test_unknown_sections_are_named_with_the_nearest():
    source = Source("x.yaml", {"tools": {}, "asistants": {}}, {("asistants",): (3, 1)})
    errors = list(unknown_sections(source))
    assert [(error.code, str(error.at)) for error in errors] == [("TM007", "x.yaml:3:1")]
    assert "'assistants'" in errors[0].message


def described(schema, name=""):
    """Yield every property of a schema, by its path."""
    if isinstance(schema, dict):
        for key, value in schema.get("properties", {}).items():
            yield f"{name}.{key}", value
            yield from described(value, f"{name}.{key}")
        yield from described(schema.get("additionalProperties"), f"{name}.*")


def test_every_field_has_a_description_and_an_example_that_is_valid():
    fields = {
        name: field for name, field in described(config_schema()) if name.count(".") in {3, 5}
    }
    assert len(fields) > 50
    for name, field in fields.items():
        if "providers.*" in name or ".*." in name:
            assert field["description"], name
            for example in field["examples"]:
                assert jsonschema.Draft202012Validator(field).is_valid(example), name
                assert field.get("type") != "string" or example, name


def config_files():
    """Return every YAML config file of the repository that is meant to be right."""
    from tests.conftest import ROOT

    folders = [ROOT / "tenants", ROOT / "tests" / "lint_cases"]
    paths = [path for folder in folders for path in folder.rglob("*.y*ml")]
    right = [path for path in paths if "bad" not in path.parts and "cassettes" not in path.parts]
    assert right
    return right


def test_config_files_of_the_repository_are_valid():
    from tm.config.reader import read_source

    validator = jsonschema.Draft202012Validator(config_schema())
    for path in config_files():
        source = read_source(path.read_bytes(), "tenants/x/y.yaml")
        faults = [error.message for error in validator.iter_errors(dict(source.data))]
        assert not faults, (path, faults)
