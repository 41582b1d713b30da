"""Reads the usual forms of `tm test-tool` without Typer, whose import costs a third of a run.

Whatever is unusual here (help, mistakes, joined short options) is left to Typer, which stays the
one place that explains and refuses. A test holds both against each other.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

_FLAGS = {
    "--all": "every",
    "--dry-run": "dry_run",
    "--record": "record",
    "--replay": "replay",
    "--live": "live",
    "--curl": "curl",
    "--quiet": "quiet",
    "-q": "quiet",
    "--verbose": "verbose",
    "-v": "verbose",
    "--json": "as_json",
    "--traceback": "traceback",
}
_VALUES = {
    "--args": "args",
    "--arg": "arg",
    "--case": "case",
    "--chat": "chat",
    "--user": "user",
    "--session": "session",
    "--root": "root",
    "--tenant": "tenant",
    "-t": "tenant",
    "--color": "color",
}
_COLORS = ("auto", "always", "never")


def read_plain_words(words: Sequence[str]) -> dict[str, Any] | None:
    """Return the options by the parameter names of the command; None: let Typer read them.

    Args:
        words: what stands behind `tm test-tool`.
    """
    found: dict[str, Any] = dict.fromkeys(_FLAGS.values(), False)
    found |= dict.fromkeys(_VALUES.values())
    found |= {"names": [], "arg": [], "color": "auto"}
    rest = iter(words)
    for word in rest:
        if word in _FLAGS:
            found[_FLAGS[word]] = True
        elif not word.startswith("-"):
            found["names"].append(word)
        elif not _take_value(found, word, rest):
            return None
    if found["color"] not in _COLORS:
        return None
    if found["root"] is not None:
        found["root"] = Path(found["root"])
    return found


def _take_value(found: dict[str, Any], word: str, rest: Any) -> bool:
    """Keep the value of an option; say False where the word is not one of the usual forms."""
    option, equals, joined = word.partition("=")
    name = _VALUES.get(option)
    if name is None or (equals and not option.startswith("--")):
        return False
    value = joined if equals else next(rest, None)
    if value is None or (not equals and value.startswith("-") and value != "-"):
        return False
    if name == "arg":
        found["arg"].append(value)
    else:
        found[name] = value
    return True
