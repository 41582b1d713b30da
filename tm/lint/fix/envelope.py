"""What OpenAI's nesting may hold so that it can be taken off without losing anything."""

from __future__ import annotations

from collections.abc import Sequence

from tm.lint.fix.edits import CantFixError


def check_envelope(
    tool: str, outer: Sequence[str], inner: Sequence[str], name: str | None
) -> set[str]:
    """Return the keys under `function` that the envelope takes with it: `name` and `strict`.

    Args:
        tool: the tool's name in the config.
        outer: keys of the tool.
        inner: keys under its `function`.
        name: the value of `name` under `function`; None where it is none, or no text.

    Raises:
        CantFixError: where the two levels contradict each other.
    """
    if "name" in inner and name != tool:
        raise CantFixError(f"its function is called {name!r:.60}; which name is right?")
    dropped = {"name", "strict"} & set(inner)
    both = sorted(set(inner) - dropped - {"type"} & set(outer))
    if both:
        raise CantFixError(f"'{both[0]}' stands under the tool and under its `function`")
    return dropped
