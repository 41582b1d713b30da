"""The shared tools as tools of a tenant: what the catalog is given when it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from tm.builtin.names import BUILTIN_TOOLS
from tm.errors import Location
from tm.model import BUILTIN, Field, Tool

PLACE: Final = Location("builtin")
"""Stands where other tools have their file."""


def builtin_tool(name: str, tenant: str) -> Tool:
    """Return a shared tool, ready to run for a tenant."""
    from tm.builtin.declared import DECLARED  # noqa: PLC0415  most runs need none of them

    declared = DECLARED[name]
    return Tool(
        name=name,
        tenant=tenant,
        home=BUILTIN,
        at=PLACE,
        description=declared["description"],
        parameters=declared["parameters"],
        fields={key: Field(BUILTIN, PLACE) for key in declared},
        declared=declared,
    )


BUILTINS: Final[Mapping[str, Callable[[str], Tool]]] = {
    name: partial(builtin_tool, name) for name in BUILTIN_TOOLS
}
"""For each name, what makes the tool for a tenant code."""
