"""`extends` over any chain: the nearest declaration of a field wins, and circles always end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tm.config.extends import Declaration, extend
from tm.config.source import Source
from tm.errors import ConfigError
from tm.model import SHARED

NAMES = st.sampled_from("abcdef")
FIELDS = st.dictionaries(
    st.sampled_from(["path", "query", "mapping", "api"]), st.integers(), max_size=4
)


def declare(name: str, home: str, fields: dict, base: str | None) -> Declaration:
    value = fields | ({"extends": base} if base else {})
    return Declaration("tools", name, home, Source(f"tenants/{home}/{name}.yaml"), value)


@given(st.lists(FIELDS, min_size=1, max_size=8))
def test_nearest_declaration_of_a_field_wins(chain):
    names = [f"t{number}" for number in range(len(chain))]
    tools = {
        name: declare(
            name,
            SHARED if number else "acme",
            fields,
            names[number + 1] if number + 1 < len(chain) else None,
        )
        for number, (name, fields) in enumerate(zip(names, chain, strict=True))
    }
    result = extend(tools["t0"], lambda name, _: tools[name])
    expected: dict = {}
    for fields in reversed(chain):
        expected |= fields
    assert result.values == expected
    assert set(result.origins) == set(expected)
    for field, origin in result.origins.items():
        assert origin.value[field] == expected[field]


@given(st.dictionaries(NAMES, st.tuples(FIELDS, st.none() | NAMES), max_size=6), FIELDS, NAMES)
def test_any_graph_ends_in_a_tool_or_in_tm111(shared, fields, base):
    def find(name, at):
        if name not in shared:
            raise ConfigError("no shared tool", code="TM111", at=at)
        return declare(name, SHARED, *shared[name])

    try:
        result = extend(declare("a", "acme", fields, base), find)
    except ConfigError as caught:
        code = caught.code
    else:
        code = "TM111"
        assert fields.items() <= result.values.items()
    assert code == "TM111"


@pytest.mark.parametrize("length", [1, 2, 5])
def test_circle_names_every_member(length):
    names = [f"s{number}" for number in range(length)]
    shared = {
        name: declare(name, SHARED, {}, names[(number + 1) % length])
        for number, name in enumerate(names)
    }
    with pytest.raises(ConfigError) as caught:
        extend(declare("own", "acme", {}, "s0"), lambda name, _: shared[name])
    assert " -> ".join(["own", *names, "s0"]) in caught.value.message
