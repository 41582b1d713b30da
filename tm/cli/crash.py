"""The crash file: what a report of a bug in tm needs, and no secret."""

import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tm._version import __version__
from tm.redact import MASK, Redactor

_PRIVATE = frozenset({"--args", "--arg", "--session", "--password"})
# A report leaves the machine, so more names count than where a run masks.
_MORE_SECRET_WORDS = ("PASSWD", "AUTH", "DATABASE_URL")


def write_crash_file(error: BaseException, words: Sequence[str], environ: Mapping[str, str]) -> str:
    """Write what happened into the workspace's `.tm/`, else into the temporary folder.

    Args:
        error: the bug.
        words: the command line without the program's name.
        environ: whose secrets, with those of the workspace's `.env` files, are masked in the text.

    Returns:
        The file's path, to be shown; a word that says so where nothing could be written.
    """
    text = mask(crash_text(error, words), environ, words)
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S')}.txt"
    for folder in (*_log_folder(), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return str(folder / name)
    return "(it could not be written)"


def _log_folder() -> list[Path]:
    """Return `.tm` of the nearest workspace upwards; empty outside of any."""
    here = Path.cwd()
    return [up / ".tm" for up in (here, *here.parents) if (up / "tenants").is_dir()][:1]


def crash_text(error: BaseException, words: Sequence[str]) -> str:
    """Return versions, the masked command line and the traceback."""
    return "\n".join(
        [
            f"tm {__version__}",
            f"Python {sys.version.split()[0]} on {platform.system()} {platform.machine()}",
            f"command: tm {' '.join(masked_words(words))}",
            "",
            traceback_text(error),
        ]
    )


def masked_words(words: Sequence[str]) -> list[str]:
    """Return the words with the values of arguments and sessions as `***`."""
    shown: list[str] = []
    for position, word in enumerate(words):
        flag, equals, _ = word.partition("=")
        if position and words[position - 1] in _PRIVATE:
            shown.append(MASK)
        else:
            shown.append(f"{flag}={MASK}" if equals and flag in _PRIVATE else word)
    return shown


def traceback_text(error: BaseException) -> str:
    """Return the traceback with its causes."""
    return "".join(traceback.format_exception(error))


def mask(text: str, environ: Mapping[str, str], words: Sequence[str] = ()) -> str:
    """Return the text without the secrets of the environment and of the workspace's `.env` files.

    Args:
        text: that no run has masked.
        environ: of variables whose names tell of a secret, the values are masked.
        words: the command line without the program's name; its `--root` is looked at too.
    """
    from tm.config.env import says_secret  # only a crash needs it

    values = [
        value
        for name, value in environ.items()
        if says_secret(name) or any(word in name.upper() for word in _MORE_SECRET_WORDS)
    ]
    return Redactor([*values, *_values_of_env_files(environ, words)]).text(text)


def _values_of_env_files(environ: Mapping[str, str], words: Sequence[str]) -> Iterator[str]:
    """Yield every value: without the config nothing tells which of them fill an `auth`."""
    from tm.config.env import read_env_file

    for root in {*_named_roots(environ, words), *(folder.parent for folder in _log_folder())}:
        yield from read_env_file(root).values()
        with suppress(OSError):  # no workspace, or none of this user's
            for home in (root / "tenants").iterdir():
                yield from read_env_file(home).values()


def _named_roots(environ: Mapping[str, str], words: Sequence[str]) -> Iterator[Path]:
    """Yield the folders that TM_ROOT and `--root` name, whether or not they are workspaces."""
    if "TM_ROOT" in environ:
        yield Path(environ["TM_ROOT"])
    for word, following in zip(words, [*words, ""][1:], strict=True):
        if word == "--root" or word.startswith("--root="):
            yield Path(following if word == "--root" else word.removeprefix("--root="))
