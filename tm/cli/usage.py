"""Mistakes in the words of a command line, as one error with the nearest right word."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from tm.cli.overview import MEANT, PLANNED
from tm.errors import UsageError, did_you_mean

CODE = "TM500"
_AFTER_COMMAND = frozenset({"--root", "--tenant", "-t", "--json", "--color"})


@contextmanager
def taught_usage() -> Iterator[None]:
    """Turn Typer's complaints into UsageError, which the boundary shows like any other error.

    Raises:
        UsageError: for any complaint of Typer's.
    """
    try:
        yield
    except typer.TyperException as complaint:
        raise _taught(complaint) from complaint


def _taught(complaint: typer.TyperException) -> UsageError:
    ctx = getattr(complaint, "ctx", None)
    path = ctx.command_path if ctx else "tm"
    option = getattr(complaint, "option_name", None)
    message = complaint.format_message().rstrip(".")
    hint = f"{path} --help lists what can be given"
    if option is not None and "such option" in message:
        if path == "tm" and option in _AFTER_COMMAND:
            hint = f"options stand behind the command: tm list {option} ..."
        message = f"no option {option}{_near_flags(option, _flags(ctx))}"
    elif message.startswith("No such command"):
        word = message.split("'")[1]
        message = _no_command(path, word, _commands(ctx))
    elif message == "Missing command":
        names = _commands(ctx)
        message = f"{path} takes a command: {', '.join(names)}"
    elif message.startswith("Got unexpected extra argument") and path == "tm list":
        word = message.rpartition("(")[2].rstrip(")").split()[0]
        hint = f"tm list -t {word} lists the tools of tenant '{word}'"
    return UsageError(message, code=CODE, hint=hint)


def _near_flags(option: str, known: list[str]) -> str:
    """Return the flags that an unknown one may have meant; of `-all`, Typer tells `-a` only."""
    if len(option) != 2:
        return did_you_mean(option, known)
    long = [f"'{flag}'" for flag in known if flag.startswith(f"-{option}")][:3]
    return f"; did you mean {' or '.join(long)}?" if long else ""


def _no_command(path: str, word: str, known: list[str]) -> str:
    if path == "tm" and word in PLANNED:
        return f"tm {word} is not there yet"
    if path == "tm" and word in MEANT:
        return f"no command '{word}'; did you mean '{MEANT[word]}'?"
    return f"no command '{word}'{did_you_mean(word, known)}"


def _commands(ctx: Any) -> list[str]:
    return sorted(ctx.command.list_commands(ctx)) if ctx else []


def _flags(ctx: Any) -> list[str]:
    if ctx is None:
        return []
    return [flag for param in ctx.command.get_params(ctx) for flag in param.opts]
