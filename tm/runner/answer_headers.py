"""The headers of an answer, as a tenant's function sees them.

What lives here: names in any case, as HTTP has them. What must not: requests.
"""

from __future__ import annotations

from typing import Any


class AnswerHeaders(dict[str, str]):
    """A mapping by lower-case name that finds a name however it is written.

    A copy of the answer's, so that a function may change it; it is JSON like every mapping.
    """

    __slots__ = ()

    def __missing__(self, name: Any) -> str:
        """Return the header whose name differs in nothing but case."""
        lower = _lower(name)
        if lower != name and dict.__contains__(self, lower):
            return dict.__getitem__(self, lower)
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        """Tell whether there is such a header."""
        return dict.__contains__(self, _lower(name))

    def get(self, name: Any, default: Any = None) -> Any:
        """Return the header, or the default."""
        return dict.get(self, _lower(name), default)


def _lower(name: Any) -> Any:
    """Return a text in lower case; another value, which no header has as its name, as it is."""
    return name.lower() if type(name) is str else name
