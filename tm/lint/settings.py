"""`[tool.tm.lint]` of the root's pyproject.toml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tm.errors import Location, UsageError, did_you_mean
from tm.lint.selection import Selection, lint_codes, read_codes
from tm.lint.toml_places import allow_lines, key_line
from tm.records import record

FILE: Final = "pyproject.toml"
KEYS: Final = ("select", "ignore", "strict", "baseline", "allow")
ALLOW_KEYS: Final = ("code", "path", "reason")
_HINT: Final = "the keys are " + ", ".join(KEYS)


@record
class Allowed:
    """An entry of `allow`: findings of a code that are accepted in some files.

    Attributes:
        path: relative to the root; `*` stands for anything but `/`, `**` for anything.
        reason: empty where none is given.
        line: of the entry.
    """

    code: str
    path: str
    reason: str
    line: int


@record
class Settings:
    """What the workspace has decided for its linter.

    Attributes:
        baseline: relative to the root; None: there is none.
        lines: of pyproject.toml, for messages; empty where it has no settings.
    """

    selection: Selection = Selection()
    strict: bool = False
    baseline: str | None = None
    allow: tuple[Allowed, ...] = ()
    lines: tuple[str, ...] = ()


def read_settings(root: Path) -> Settings:
    """Return the settings; defaults where there are none.

    Raises:
        UsageError: TM500 for a file that can't be read, an unknown key or a wrong value.
    """
    text = _text(root / FILE)
    if text is None:
        return Settings()
    import tomllib  # noqa: PLC0415  many workspaces have no settings

    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else None
        raise _wrong(f"does not parse: {error}", line) from error
    table = document
    for key in ("tool", "tm", "lint"):
        table = table.get(key, {})
        if not isinstance(table, Mapping):
            raise _wrong(f"{key} must be a table, not {_kind(table)}")
    return _settings(table, text) if table else Settings()


def _text(path: Path) -> str | None:
    """Return the file's text; None where there is no such file."""
    if not path.exists() and not path.is_symlink():
        return None
    try:
        if not path.is_file():
            raise _wrong("is no regular file")
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(f"can't be read: {getattr(error, 'strerror', None) or error}") from error


def _settings(table: Mapping[str, Any], text: str) -> Settings:
    for key in table:
        if key not in KEYS:
            raise _wrong(
                f"[tool.tm.lint] has no key {key!a:.60}{did_you_mean(key, KEYS)}",
                key_line(text, key),
            )
    select = _codes(table, "select", text)
    return Settings(
        selection=Selection(select or None, _codes(table, "ignore", text)),
        strict=_typed(table, "strict", bool, text) or False,
        baseline=_typed(table, "baseline", str, text),
        allow=tuple(_allowed(_typed(table, "allow", list, text) or [], text)),
        lines=tuple(text.split("\n")),
    )


def _codes(table: Mapping[str, Any], key: str, text: str) -> tuple[str, ...]:
    codes = _typed(table, key, list, text) or []
    line = key_line(text, key)
    if not all(isinstance(code, str) for code in codes):
        raise _wrong(f"{key} is a list of codes, as texts", line)
    return read_codes(codes, f"{key} of [tool.tm.lint]", Location(FILE, line))


def _typed(table: Mapping[str, Any], key: str, kind: type, text: str) -> Any:
    value = table.get(key)
    if value is None or isinstance(value, kind):
        return value
    word = {bool: "true or false", str: "a text", list: "a list"}[kind]
    raise _wrong(f"{key} of [tool.tm.lint] must be {word}, not {_kind(value)}", key_line(text, key))


def _allowed(entries: Sequence[Any], text: str) -> Iterator[Allowed]:
    places = allow_lines(text, len(entries))
    for entry, line in zip(entries, places, strict=True):
        if not isinstance(entry, Mapping):
            raise _wrong(
                'an entry of allow is {code = "TM302", path = "...", reason = "..."}', line
            )
        for key in entry:
            if key not in ALLOW_KEYS:
                near = did_you_mean(key, ALLOW_KEYS)
                raise _wrong(f"an entry of allow has no key {key!a:.60}{near}", line)
        texts = {key: entry.get(key, "") for key in ALLOW_KEYS}
        if not all(isinstance(value, str) for value in texts.values()):
            raise _wrong("code, path and reason of an entry of allow are texts", line)
        for key in ("code", "path"):
            if not texts[key].strip():
                raise _wrong(f"an entry of allow has no {key}", line)
        code = texts["code"].strip().upper()
        if code not in lint_codes():
            near = did_you_mean(code, lint_codes())
            raise _wrong(f"an entry of allow names {texts['code']!a:.40}, no lint code{near}", line)
        path = texts["path"].strip().removeprefix("./")
        yield Allowed(code, path, texts["reason"].strip(), line)


def _kind(value: object) -> str:
    return {dict: "a table", list: "a list", str: "a text", bool: "true or false"}.get(
        type(value), type(value).__name__
    )


def _wrong(what: str, line: int | None = None) -> UsageError:
    return UsageError(what, code="TM500", at=Location(FILE, line), hint=_HINT)
