"""Runs a command line and turns whatever happens into a message and an exit code."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tm.cli.plain_words import read_plain_words
from tm.errors import EXIT_BUG, EXIT_INTERRUPTED, EXIT_OK, TmError

_OWN_FRAMES: Mapping[str, Mapping[str, Any]] = {
    "lint": {"findings": [], "summary": {"errors": 0, "warnings": 0, "files": 0}},
    "diff": {"changes": []},
}
"""What the JSON of a command holds besides its error; these take `--format json` too."""


def run(words: Sequence[str]) -> int:
    """Run one command line and return its exit code; never raises an Exception."""
    try:
        code = _run_command(words)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except TmError as error:
        code = _tell(error, words)
    except Exception as error:  # noqa: BLE001  the boundary: anything else is a bug of tm
        code = _tell_bug(error, words)
    except BaseException as error:
        denial = _denial(error)
        if denial is None:
            raise
        code = _tell(denial, words)
    return code


def _denial(error: BaseException) -> TmError | None:
    """Return the error where a tenant's code was refused something while tm worked for itself."""
    if "tm.runner.guard" not in sys.modules:
        return None
    from tm.runner.places import as_security_error  # loaded with the guard

    return as_security_error(error, None)


def _run_command(words: Sequence[str]) -> int:
    options = read_plain_words(words)
    if options is not None and words[0] == "lint":
        from tm.cli.run_lint import lint_with_options  # for lint only

        return lint_with_options(options, words)
    if options is not None and words[0] == "log":
        from tm.cli.run_log import list_with_options  # for the log only

        return list_with_options(options)
    if options is not None:
        from tm.cli.run_named import run_with_options  # for runs only

        return run_with_options(options)
    from tm.cli.app import build_command, teach_shells  # most runs need no Typer

    if not words:
        teach_shells()
    try:
        build_command().main(list(words), prog_name="tm")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else EXIT_OK
    return EXIT_OK


def _tell(error: TmError, words: Sequence[str]) -> int:
    from tm.cli.crash import mask, traceback_text  # most runs end without an error
    from tm.render.failure import error_lines
    from tm.render.result import json_text
    from tm.render.screen import open_screen

    if _wants_json(words):
        sys.stdout.write(json_text(_error_json(error, words)) + "\n")
    screen = open_screen(color_option(words), sys.stderr, os.environ)
    if "--traceback" in words:
        sys.stderr.write(mask(traceback_text(error), os.environ, words))
    screen.show(error_lines(error))
    return error.exit_code


def _wants_json(words: Sequence[str]) -> bool:
    """Say whether stdout is to be one JSON document, also where the words can't be read."""
    if "--json" in words or _command(words) not in _OWN_FRAMES:
        return "--json" in words
    pairs = zip(words, [*words[1:], ""], strict=True)
    return any(pair == ("--format", "json") or pair[0] == "--format=json" for pair in pairs)


def _command(words: Sequence[str]) -> str:
    return words[0] if words else ""


def _error_json(error: TmError, words: Sequence[str]) -> dict[str, Any]:
    """Return the error in the shape of the command: some have one of their own (SPEC 10)."""
    found: dict[str, Any] = {"ok": False, "error": error.to_json()}
    return {**found, **_OWN_FRAMES.get(_command(words), {})}


def _tell_bug(error: Exception, words: Sequence[str]) -> int:
    from tm.cli.crash import write_crash_file  # only a bug needs it

    path = write_crash_file(error, words, os.environ)
    sys.stderr.write(
        f"tm: a bug in tm itself ({type(error).__name__}); nothing of yours is wrong. "
        f"Please report it with this file: {path}\n"
    )
    return EXIT_BUG


def color_option(words: Sequence[str]) -> str:
    """Return what `--color` says, before and whether or not Typer could read the words."""
    for word, following in zip(words, [*words, ""][1:], strict=True):
        value = following if word == "--color" else word.removeprefix("--color=")
        if word.startswith("--color") and value in {"always", "never"}:
            return value
    return "auto"
