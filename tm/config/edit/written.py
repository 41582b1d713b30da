"""How a value is written into a config file: YAML in braces or as a block, or a Python literal."""

from __future__ import annotations

import json
import re
from typing import Final, Protocol

from tm.config.scalars import TEXT, scalar_kind
from tm.model import Json

WIDTH: Final = 96
"""Columns that a collection on one line may reach."""

_PLAIN: Final = re.compile(r"[^\W\d_](?:[\w ./()+-]*[\w)])?")
_AMBIGUOUS: Final = frozenset({"y", "n", "yes", "no", "on", "off"})
# What a reader can't see, or YAML does not take, or our parser has a use for.
_UNSEEN: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ue000-\uf8ff\ufeff\ufffe\uffff]")


class Writer(Protocol):
    """The way of one kind of file."""

    def entry(self, key: str | None, value: Json, column: int) -> str:
        """Return an entry in braces or brackets; the key is None in a list."""

    def value(self, value: Json, column: int) -> str:
        """Return a value for a place in braces, or behind a key."""


def quoted(text: str) -> str:
    """Return a text in double quotes, as YAML, JSON and Python read it alike."""
    return _UNSEEN.sub(lambda hit: f"\\u{ord(hit[0]):04x}", json.dumps(text, ensure_ascii=False))


class YamlWriter:
    """YAML."""

    def entry(self, key: str | None, value: Json, column: int) -> str:
        """Return an entry in braces or brackets; the key is None in a list."""
        return self.value(value, column) if key is None else f"{_text(key)}: {_in_braces(value)}"

    def value(self, value: Json, column: int) -> str:  # noqa: ARG002  braces need no columns
        """Return a value in braces."""
        return _in_braces(value)


class PythonWriter:
    """Literals of Python."""

    def entry(self, key: str | None, value: Json, column: int) -> str:
        """Return an entry in braces or brackets; the key is None in a list."""
        label = "" if key is None else f"{quoted(key)}: "
        return label + self.value(value, column, len(label))

    def value(self, value: Json, column: int, before: int = 0) -> str:
        """Return a literal, on several lines where one is too short.

        Args:
            column: where the line begins that it stands in.
            before: characters of the line before it.
        """
        line = self._on_a_line(value)
        if not isinstance(value, dict | list) or not value or column + before + len(line) < WIDTH:
            return line
        pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
        inner, outer = " " * (column + 4), " " * column
        lines = [f"{inner}{self.entry(key, item, column + 4)},\n" for key, item in pairs]
        first, last = ("{", "}") if isinstance(value, dict) else ("[", "]")
        return f"{first}\n{''.join(lines)}{outer}{last}"

    def _on_a_line(self, value: Json) -> str:
        if isinstance(value, dict):
            pairs = (f"{quoted(key)}: {self._on_a_line(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        if isinstance(value, list):
            return f"[{', '.join(map(self._on_a_line, value))}]"
        return quoted(value) if isinstance(value, str) else repr(value)


def _in_braces(value: Json) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_text(k)}: {_in_braces(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_in_braces, value))}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    """Return a text as YAML, quoted unless everybody reads it as text without."""
    is_plain = _PLAIN.fullmatch(text) and scalar_kind(text) is TEXT
    return text if is_plain and text.lower() not in _AMBIGUOUS else quoted(text)


def block_entry(key: str | None, value: Json, column: int) -> str:
    """Return an entry of a YAML block, its lines joined, without indentation before the first.

    Args:
        key: None in a list.
        column: of the entry.
    """
    if key is None:
        return f"- {_item(value, column + 2)}"
    return f"{_text(key)}:{block_value(value, column, len(_text(key)))}"


def block_value(value: Json, column: int, before: int = 0) -> str:
    """Return what stands behind a key's colon: on the same line where it is short and flat.

    Args:
        column: of the key.
        before: length of the key.
    """
    line = _in_braces(value)
    is_scalar = not isinstance(value, dict | list) or not value
    if is_scalar or (_is_flat(value) and column + before + len(line) < WIDTH):
        return f" {line}"
    return f"\n{' ' * (column + 2)}{_block(value, column + 2)}"


def _block(value: Json, column: int) -> str:
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    return f"\n{' ' * column}".join(block_entry(key, item, column) for key, item in pairs)


def _item(value: Json, column: int) -> str:
    return _block(value, column) if isinstance(value, dict) and value else _in_braces(value)


def _is_flat(value: Json) -> bool:
    """Say whether a value is a scalar, or a collection of scalars."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not any(isinstance(part, dict | list) and part for part in parts)
