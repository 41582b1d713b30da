"""Reads usual forms of `test-tool`, `lint` and `log` without Typer, which costs a third of a run.

Whatever is unusual here (help, mistakes, joined short options) is left to Typer, which stays the
one place that explains and refuses. A test holds both against each other.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Words(NamedTuple):
    """The options of a command.

    Attributes:
        flags: without a value; parameter name by option.
        values: with one; parameter name by option.
        lists: parameters whose option may stand several times.
        paths: parameters that are paths.
        names: the parameter of the words that are no options; empty: there are none.
        choices: what a parameter may be, where not every text will do.
        numbers: parameters that are whole numbers; others, and 0, are left to Typer.
        defaults: of options that have one.
    """

    flags: Mapping[str, str]
    values: Mapping[str, str]
    lists: tuple[str, ...]
    paths: tuple[str, ...]
    names: str
    choices: Mapping[str, tuple[str, ...]]
    numbers: tuple[str, ...] = ()
    defaults: Mapping[str, str] = {}


_COLORS = ("auto", "always", "never")
_FORMATS = ("text", "json", "github", "gitlab", "sarif", "junit")

_COMMANDS = {
    "test-tool": Words(
        flags={
            "--all": "every",
            "--dry-run": "dry_run",
            "--record": "record",
            "--replay": "replay",
            "--live": "live",
            "--curl": "curl",
            "--isolate": "isolate",
            "--last-failed": "last_failed",
            "--fail-fast": "fail_fast",
            "--watch": "watch",
            "--update": "update",
            "--quiet": "quiet",
            "-q": "quiet",
            "--verbose": "verbose",
            "-v": "verbose",
            "--json": "as_json",
            "--traceback": "traceback",
        },
        values={
            "--args": "args",
            "--arg": "arg",
            "--case": "case",
            "--chat": "chat",
            "--user": "user",
            "--session": "session",
            "--jobs": "jobs",
            "--shard": "shard",
            "--since": "since",
            "--junit": "junit",
            "--root": "root",
            "--tenant": "tenant",
            "-t": "tenant",
            "--color": "color",
        },
        lists=("arg",),
        paths=("root", "junit"),
        names="names",
        choices={"color": _COLORS},
        numbers=("jobs",),
    ),
    "lint": Words(
        flags={
            "--fix": "fix",
            "--diff": "diff",
            "--strict": "strict",
            "--statistics": "statistics",
            "--json": "as_json",
            "--traceback": "traceback",
        },
        values={
            "--format": "output_format",
            "--select": "select",
            "--ignore": "ignore",
            "--baseline": "baseline",
            "--since": "since",
            "--root": "root",
            "--tenant": "tenant",
            "-t": "tenant",
            "--color": "color",
        },
        lists=("select", "ignore"),
        paths=("root", "baseline"),
        names="paths",
        choices={"color": _COLORS, "output_format": _FORMATS},
    ),
    "log": Words(
        flags={
            "--failed": "failed",
            "--dry-run": "dry_run",
            "--json": "as_json",
            "--traceback": "traceback",
        },
        values={
            "--tool": "tool",
            "--entry-type": "entry_type",
            "--assistant": "assistant",
            "--chat": "chat",
            "--since": "since",
            "--until": "until",
            "--slower-than": "slower_than",
            "--search": "search",
            "--limit": "limit",
            "--root": "root",
            "--tenant": "tenant",
            "-t": "tenant",
            "--color": "color",
        },
        lists=(),
        paths=("root",),
        names="",
        choices={"color": _COLORS, "entry_type": ("chat", "scheduled_task", "cli", "mcp")},
        numbers=("limit", "slower_than"),
        defaults={"limit": "50"},
    ),
}


def read_plain_words(words: Sequence[str]) -> dict[str, Any] | None:
    """Return the options by the parameter names of the command; None: let Typer read them.

    Args:
        words: what stands behind `tm`.
    """
    command = _COMMANDS.get(words[0]) if words else None
    if command is None:
        return None
    found: dict[str, Any] = dict.fromkeys(command.flags.values(), False)
    found |= dict.fromkeys(command.values.values())
    found |= {name: [] for name in (command.names, *command.lists) if name}
    found |= {"color": "auto", **command.defaults}
    rest = iter(words[1:])
    for word in rest:
        if word in command.flags:
            found[command.flags[word]] = True
        elif not word.startswith("-") and command.names:
            found[command.names].append(word)
        elif not _take_value(command, found, word, rest):
            return None
    return _finished(command, found)


def _finished(command: Words, found: dict[str, Any]) -> dict[str, Any] | None:
    """Return the options with paths and numbers as such; None where a text is none of them."""
    for name, choices in command.choices.items():
        if found[name] is not None and found[name] not in choices:
            return None
    for name in command.numbers:
        if found[name] is not None:
            if not (found[name].isascii() and found[name].isdigit()) or int(found[name]) < 1:
                return None
            found[name] = int(found[name])
    for name in command.paths:
        if found[name] is not None:
            found[name] = Path(found[name])
    return found


def _take_value(command: Words, found: dict[str, Any], word: str, rest: Any) -> bool:
    """Keep the value of an option; say False where the word is not one of the usual forms."""
    option, equals, joined = word.partition("=")
    name = command.values.get(option)
    if name is None or (equals and not option.startswith("--")):
        return False
    value = joined if equals else next(rest, None)
    if value is None or (not equals and value.startswith("-") and value != "-"):
        return False
    if name in command.lists:
        found[name].append(value)
    else:
        found[name] = value
    return True
