"""From the workspace's files to the model; runs no tenant code and opens no connection."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; importing `typing` costs a third of a start
if TYPE_CHECKING:
    from tm.config.discover import choose_tenant, find_root
    from tm.config.env import SecretSource
    from tm.config.loader import Catalog

__all__ = ["Catalog", "SecretSource", "choose_tenant", "find_root"]

_HOMES = {
    "Catalog": "tm.config.loader",
    "SecretSource": "tm.config.env",
    "choose_tenant": "tm.config.discover",
    "find_root": "tm.config.discover",
}


def __getattr__(name: str) -> object:
    """Import what is asked for; who lists files only has no use for the loader."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  as above

    found: object = getattr(import_module(_HOMES[name]), name)
    return found
