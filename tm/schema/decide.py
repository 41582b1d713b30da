"""Deciding the good case fast: a schema compiled to closures, without jsonschema.

`compile_decider` understands the keywords that tools really use. For a schema that has any other,
that is malformed, or whose meaning here could differ from jsonschema's, it returns None, and
jsonschema decides. What a decider refuses, jsonschema explains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tm.model import Json
from tm.schema.dialect import Dialect

Check: TypeAlias = Callable[[Json], bool]


def compile_decider(schema: Mapping[str, Any] | bool, dialect: Dialect) -> Check | None:
    """Return a function that tells whether a JSON value fits, or None where it can't be sure."""
    return None
