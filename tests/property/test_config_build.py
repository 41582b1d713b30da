"""Whatever a tool, api or assistant declares, building it gives a model or a ConfigError."""

from __future__ import annotations

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from tm.config.build import build_api, build_assistant, build_task, build_tool
from tm.config.env import SecretSource, read_env
from tm.config.extends import Declaration, extend
from tm.config.field_faults import field_faults
from tm.config.fields import API_FIELDS, TOOL_FIELDS
from tm.config.shape import check_nesting
from tm.config.source import Source
from tm.errors import ConfigError, Location, ToolError

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
WORDS = st.sampled_from(["type", "page", "name", "args", "connect", "attempts", "f.py:go", "GET"])
VALUES = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=8,
)
GOOD = {"handler": "f.py:go", "api": "erp", "method": "GET", "path": "/x"}


def declare(section: str, value: object) -> Declaration:
    return Declaration(section, "x", "acme", Source("tenants/acme/x.yaml", {section: {}}), value)


def no_base(name: str, at: Location) -> Declaration:
    raise ConfigError(f"no shared tool {name}", code="TM111", at=at)


def build(declared: Declaration) -> None:
    check_nesting(declared)
    build_tool(extend(declared, no_base), "acme")


@given(st.dictionaries(st.sampled_from([*TOOL_FIELDS, "function"]), VALUES, max_size=5))
def test_any_tool_is_built_or_refused(fields):
    for value in (fields, GOOD | fields):
        declared = declare("tools", value)
        list(field_faults(declared))
        with contextlib.suppress(ConfigError):
            build(declared)


@given(VALUES, st.dictionaries(st.sampled_from(list(API_FIELDS)), VALUES, max_size=5))
def test_any_other_declaration_is_built_or_refused(value, fields):
    for declared in (value, fields, {"base_url": "http://x"} | fields):
        for section, build_one in (
            ("apis", build_api),
            ("assistants", build_assistant),
            ("scheduled", build_task),
        ):
            with contextlib.suppress(ConfigError):
                build_one(declare(section, declared))
        if isinstance(declared, dict):
            SecretSource({"A_KEY": "v"}, {}, {}).secret_values(declared)


@given(st.text(max_size=80))
def test_env_text_never_crashes(text):
    variables = SecretSource({}, read_env(text), {})
    with contextlib.suppress(ToolError):
        variables.expand(text, Location("x"))
