"""Mistakes in the words of a command line, as one error with the nearest right word."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from tm.errors import UsageError, did_you_mean

CODE = "TM500"


@contextmanager
def taught_usage(commands: Collection[str]) -> Iterator[None]:
    """Turn Typer's complaints into UsageError, which the boundary shows like any other error.

    Args:
        commands: names that a misspelt command is compared with.

    Raises:
        UsageError: for any complaint of Typer's.
    """
    try:
        yield
    except typer.TyperException as complaint:
        raise _taught(complaint, commands) from complaint


def _taught(complaint: typer.TyperException, commands: Collection[str]) -> UsageError:
    ctx = getattr(complaint, "ctx", None)
    path = ctx.command_path if ctx else "tm"
    option = getattr(complaint, "option_name", None)
    message = complaint.format_message().rstrip(".")
    if option is not None and "such option" in message:
        message = f"no option {option}{did_you_mean(option, _flags(ctx))}"
    elif message.startswith("No such command"):
        word = message.split("'")[1]
        message = f"no command '{word}'{did_you_mean(word, sorted(commands))}"
    return UsageError(message, code=CODE, hint=f"{path} --help lists what can be given")


def _flags(ctx: Any) -> list[str]:
    if ctx is None:
        return []
    return [flag for param in ctx.command.get_params(ctx) for flag in param.opts]
