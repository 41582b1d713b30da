"""Placeholders of system prompts: `{{date}}`, `{{vars.KEY}}`, `{{session.KEY}}` (SPEC 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tm.errors import did_you_mean

PROMPT_NAMES: Final = (
    "date", "time", "datetime", "weekday", "tenant", "assistant", "user_id", "chat_id", "tools",
)  # fmt: skip
_PLACEHOLDER: Final = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")


def prompt_placeholders(text: str) -> list[str]:
    """Return the names in double braces, in the order of the text, each once."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(text)))


def unknown_placeholder(name: str, variables: Mapping[str, Any] | None) -> str | None:
    """Return why nothing fills a placeholder, with the known ones; None where something does.

    Args:
        name: what stands between the braces.
        variables: `settings.vars`; None: not known, so that any may be there.
    """
    group, dot, key = name.partition(".")
    if name in PROMPT_NAMES or (group == "session" and key):
        return None
    if group == "vars" and dot:
        if variables is None or key in variables:
            return None
        near = did_you_mean(key, sorted(variables)) or _listed(variables)
        return f"settings.vars has no {key!r:.60}{near}"
    names = [*PROMPT_NAMES, "session.KEY", "vars.KEY"]
    likely = [*PROMPT_NAMES, *(f"vars.{key}" for key in variables or ())]
    return f"known are {', '.join(names)}{did_you_mean(name, likely)}"


def _listed(variables: Mapping[str, Any]) -> str:
    return f"; there are {', '.join(sorted(variables)[:10])}" if variables else ""
