"""Which JSON Schema a schema is written in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from tm.errors import ConfigError, Location
from tm.model import Json

Dialect: TypeAlias = Literal["2020-12", "draft-07"]

_DIALECTS: dict[str, Dialect] = {
    "json-schema.org/draft/2020-12/schema": "2020-12",
    "json-schema.org/draft-07/schema": "draft-07",
}


def dialect_of(schema: Json, at: Location | None = None) -> Dialect:
    """Return the dialect that `$schema` names; 2020-12 where there is none.

    Raises:
        ConfigError: TM103, for any other.
    """
    named = schema.get("$schema") if isinstance(schema, Mapping) else None
    if named is None:
        return "2020-12"
    short = str(named).removesuffix("#").removeprefix("https://").removeprefix("http://")
    if short in _DIALECTS:
        return _DIALECTS[short]
    raise ConfigError(
        f"parameters: $schema names '{named}', which tm does not know",
        code="TM103",
        hint="Leave it out for 2020-12, or write http://json-schema.org/draft-07/schema#.",
        at=at,
    )
