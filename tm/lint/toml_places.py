"""Lines of keys in a TOML text, which the standard reader does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}]',
    re.DOTALL,
)
_TABLES: Final = re.compile(r"^[ \t]*\[\[[ \t]*tool\.tm\.lint\.allow[ \t]*\]\]", re.MULTILINE)
_ALLOW: Final = re.compile(r"^[^#\n]*?\ballow[ \t]*=[ \t]*\[", re.MULTILINE)
_SECTION: Final = re.compile(r"^[ \t]*\[+[ \t]*tool\.tm(?:\.lint)?\b", re.MULTILINE)


def key_line(text: str, key: str) -> int:
    """Return the line that gives a key below `[tool.tm.lint]`; 1 where it can't be told."""
    section = _SECTION.search(text)
    start = section.start() if section else 0
    hit = re.compile(rf"^[^#\n]*?\b{re.escape(key)}\b[\"' \t]*[=.\]]", re.MULTILINE).search(
        text, start
    )
    return text.count("\n", 0, hit.end()) + 1 if hit else _line(text, start)


def allow_lines(text: str, count: int) -> list[int]:
    """Return the line of each of the `count` entries of `allow`."""
    places = [_line(text, hit.end()) for hit in _TABLES.finditer(text)]
    if not places:
        places = list(_inline_entries(text))
    places = places[:count]
    return places + [key_line(text, "allow")] * (count - len(places))


def _inline_entries(text: str) -> Iterator[int]:
    """Yield the line of each `{` that stands directly in the list of `allow = [...]`."""
    section = _SECTION.search(text)
    begin = _ALLOW.search(text, section.start() if section else 0)
    if not begin:
        return
    depth = 1
    for token in _TOKEN.finditer(text, begin.end()):
        mark = token.group()
        if mark in "]}":
            depth -= 1
        elif mark in "[{":
            if depth == 1:
                yield _line(text, token.start())
            depth += 1
        if depth == 0:
            return


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
