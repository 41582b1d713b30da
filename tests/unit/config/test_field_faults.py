"""All faults of a declaration's fields."""

from __future__ import annotations

import pytest

from tm.config.extends import Declaration
from tm.config.field_faults import field_faults, setting_faults
from tm.config.source import Source


def declared(section, value, name="x"):
    return Declaration(section, name, "shop", Source("tenants/shop/a.yaml"), value)


def words(section, value):
    return [fault.message for fault in field_faults(declared(section, value))]


def test_all_faults_are_told_not_only_the_first():
    found = words("tools", {"mappings": {}, "read_only": 1, "max_seconds": "soon"})
    assert found[0] == "unknown key 'mappings' in tool 'x'; did you mean 'mapping'?"
    assert found[1] == "read_only of tool 'x' must be true or false, not a number"
    assert len(found) == 3


def test_a_field_keeps_its_own_code():
    codes = [
        f.code for f in field_faults(declared("tools", {"mapping": 3, "handler": 3, "api": 1}))
    ]
    assert codes == ["TM112", "TM117", "TM106"]


def test_inner_keys_are_told_instead_of_the_whole_field():
    assert words("apis", {"base_url": "x", "retry": {"attempt": 3}}) == [
        "unknown key 'attempt' in retry of api 'x'; did you mean 'attempts'?"
    ]


@pytest.mark.parametrize(
    ("auth", "message"),
    [
        ({"type": "baerer"}, "auth of api 'x' has type 'baerer'"),
        ({"token": "x"}, "auth of api 'x' has no type"),
        ({"type": "bearer", "password": "x"}, "type bearer has no 'password', but token"),
        ("x", "auth of api 'x' must be a mapping with a known type, not text"),
    ],
)
def test_auth_is_looked_into(auth, message):
    (found,) = words("apis", {"base_url": "x", "auth": auth})
    assert message in found


def test_pagination_without_what_it_needs_is_told_as_a_whole():
    (found,) = words("tools", {"pagination": {"type": "cursor", "param": "c"}})
    assert found.startswith("pagination of tool 'x' must be {type:")


def test_fixtures_are_looked_into():
    assert words("tools", {"fixtures": [{"name": "a", "arg": {}}]}) == [
        "unknown key 'arg' in fixtures of tool 'x'; did you mean 'args'?"
    ]
    assert len(words("tools", {"fixtures": [3]})) == 1


def test_a_description_that_is_null_is_left_to_its_own_rule():
    assert words("tools", {"description": None}) == []


def test_assistants_and_tasks_are_mappings():
    assert words("assistants", None) == ["assistant 'x' must be a mapping of fields, not null"]
    assert words("scheduled", "x") == ["task 'x' must be a mapping of fields, not text"]
    assert words("apis", None) == []


def test_settings_of_the_team_are_free_and_known_ones_are_checked():
    def settings(name, value):
        return [fault.message for fault in setting_faults(declared("settings", value, name))]

    assert settings("greeting", 3) == []
    assert settings("vars", None) == []
    assert settings("token_budget", "many") == [
        "settings.token_budget must be a whole number above 0, not text"
    ]
    assert settings("providers", 3) == ["settings.providers must be a mapping, not a number"]
    assert settings("providers", {"a": 3, "b": {"apikey": "x"}}) == [
        "provider 'a' must be a mapping, not a number",
        "unknown key 'apikey' in provider 'b'; did you mean 'api_key'?",
    ]


def test_a_mode_or_dialect_that_is_misspelt_is_told():
    (mode,) = setting_faults(declared("settings", "reply", "http"))
    assert mode.message == "settings.http must be live or replay, not 'reply'"
    provider = {"base_url": "x", "dialect": "gemnini"}
    (dialect,) = setting_faults(declared("settings", {"main": provider}, "providers"))
    assert "did you mean 'gemini'?" in dialect.message
    assert not list(setting_faults(declared("settings", {"m": {"dialect": "qwen"}}, "providers")))
