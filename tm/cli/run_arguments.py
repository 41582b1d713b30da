"""What the options of `tm test-tool` mean: arguments, mode, and the command that repeats them."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tm.errors import UsageError
from tm.model import Tool
from tm.runner.events import Mode

MAX_ARGUMENT_BYTES = 50_000_000


@dataclass(frozen=True)
class Wanted:
    """How the tools are to be run and shown, as the command line says it.

    Attributes:
        args: `--args`: JSON, `@FILE` or `-`.
        arg: each `--arg`, as `key=value` or `key:=JSON`.
        mode: None: what the tenant's settings say.
    """

    args: str | None = None
    arg: Sequence[str] = ()
    case: str | None = None
    mode: Mode | None = None
    dry_run: bool = False
    chat: str | None = None
    user: str | None = None
    session: str | None = None
    curl: bool = False
    quiet: bool = False
    verbose: bool = False
    as_json: bool = False
    traceback: bool = False


def chosen_mode(*, record: bool, replay: bool, live: bool) -> Mode | None:
    """Return the mode that one of the flags names, or None.

    Raises:
        UsageError: more than one was given.
    """
    flags: dict[Mode, bool] = {"record": record, "replay": replay, "live": live}
    given = [mode for mode, is_given in flags.items() if is_given]
    if len(given) > 1:
        words = " and ".join(f"--{mode}" for mode in given)
        raise UsageError(
            f"{words} exclude each other", code="TM500", hint="give at most one of them"
        )
    return given[0] if given else None


def read_args(option: str | None) -> dict[str, Any] | None:
    """Return the arguments of `--args`; None where it was not given.

    Raises:
        UsageError: TM501 for text that is no JSON object, or a file that can't be read.
    """
    return None if option is None else read_object(option, "--args")


def read_object(text: str, option: str) -> dict[str, Any]:
    """Return the JSON object that an option gives as JSON, `@FILE` or `-` for stdin.

    Raises:
        UsageError: TM501 for text that is no JSON object, or a file that can't be read.
    """
    from tm.schema.arg_text import read_json_object  # noqa: PLC0415  most runs use a fixture

    if text == "-":
        return read_json_object(_decoded(sys.stdin.buffer.read(), "stdin"), "stdin")
    if text.startswith("@"):
        return read_json_object(_read_file(text[1:], option), text[1:])
    return read_json_object(text, option)


def single_args(tool: Tool, texts: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of all `--arg`, typed by the tool's schema; the last of a name wins.

    Raises:
        UsageError: TM501 for a text without `=`, or broken JSON after `:=`.
    """
    from tm.schema.arg_text import read_argument  # noqa: PLC0415  most runs use a fixture

    return dict(read_argument(tool.parameters, text) for text in texts)


def session_of(wanted: Wanted) -> Mapping[str, Any] | None:
    """Return the session to begin with; None where none was given.

    Raises:
        UsageError: TM501 for text that is no JSON object.
    """
    return None if wanted.session is None else read_object(wanted.session, "--session")


def _read_file(name: str, option: str) -> str:
    path = Path(name)
    try:
        if path.stat().st_size > MAX_ARGUMENT_BYTES:
            raise UsageError(f"{option}: {name} is larger than 50 MB", code="TM501")
        return _decoded(path.read_bytes(), name)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"{option}: the file {name!r} can't be read: {why}",
            code="TM501",
            hint="@FILE is looked up from the current folder; - reads stdin",
        ) from error


def _decoded(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{source} is not UTF-8 (byte {error.start + 1})", code="TM501"
        ) from error
