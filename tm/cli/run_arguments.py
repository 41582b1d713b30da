"""What the options of `tm test-tool` mean: arguments, mode, and the command that repeats them."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tm.errors import UsageError
from tm.records import record
from tm.runner.events import Mode

if TYPE_CHECKING:
    from tm.runner.scope import RunOptions

MAX_ARGUMENT_BYTES = 50_000_000


@record
class Wanted:
    """How the tools are to be run and shown, as the command line says it.

    Attributes:
        args: `--args`: JSON, `@FILE` or `-`.
        arg: each `--arg`, as `key=value` or `key:=JSON`.
        mode: None: what the tenant's settings say.
        jobs: runs side by side; None: one, or one for each processor where all is replayed.
        shard: `I/N`; None: all.
        since: a git ref; None: all, whatever changed.
        junit: where the JUnit report is written; None: nowhere.
        update: write results that are not as expected into their cases.
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
    isolate: bool = False
    quiet: bool = False
    verbose: bool = False
    as_json: bool = False
    traceback: bool = False
    jobs: int | None = None
    shard: str | None = None
    since: str | None = None
    last_failed: bool = False
    fail_fast: bool = False
    watch: bool = False
    junit: Path | None = None
    update: bool = False

    @property
    def is_chosen(self) -> bool:
        """Say whether an option picks some of the tools that are named."""
        return self.last_failed or self.since is not None or self.shard is not None


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
    from tm.schema.arg_text import read_json_object  # most runs use a fixture

    if text == "-":
        return read_json_object(_decoded(sys.stdin.buffer.read(), "stdin"), "stdin")
    if text.startswith("@"):
        return read_json_object(_read_file(text[1:], option), text[1:])
    return read_json_object(text, option)


def single_args(
    schema: Mapping[str, Any], texts: Sequence[str], given: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Return `--args` with every `--arg` on top; None where there is neither.

    Args:
        schema: the tool's `parameters`, which type `key=value`.
        texts: as they were given to `--arg`.
        given: what `--args` gave.

    Raises:
        UsageError: TM501 for a text without `=`, a key twice, or broken JSON after `:=`.
    """
    if not texts:
        return given
    from tm.schema.arg_text import read_arguments  # most runs use a fixture

    return {**(given or {}), **read_arguments(schema, texts)}


def run_options(wanted: Wanted) -> "RunOptions":
    """Return the options as the runner takes them.

    Raises:
        UsageError: TM501 for a session that is no JSON object.
    """
    from tm.runner.scope import RunOptions  # `--help` needs no runner

    return RunOptions(
        case=wanted.case,
        mode=wanted.mode,
        dry_run=wanted.dry_run,
        chat_id=wanted.chat,
        user_id=wanted.user,
        session=None if wanted.session is None else read_object(wanted.session, "--session"),
        with_curl=wanted.curl,
        isolate=wanted.isolate,
    )


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
        raise UsageError(f"{source} is not UTF-8 (byte {error.start + 1})", code="TM501") from error
