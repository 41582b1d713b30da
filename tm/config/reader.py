"""One config file of any kind to its source; a broken one is a source that holds its problem."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tm.config.source import SECTIONS, Source
from tm.config.yaml_source import read_yaml
from tm.errors import ConfigError
from tm.model import Problem
from tm.records import replace

if TYPE_CHECKING:
    from tm.scan import Scan

_ESCAPES = (b"\\x", b"\\u", b"\\U")


def read_source(data: bytes, path: str, scan: Scan | None = None) -> Source:
    """Read a config file.

    Args:
        data: the file's bytes.
        path: relative to the root: `tenants/<home>/...`.
        scan: of a Python file's bytes, where it is there already; None: it is made.
    """
    source = _read(data, path, scan)
    problems = tuple(_section_problems(source))
    return replace(source, problems=source.problems + problems) if problems else source


def _read(data: bytes, path: str, scan: Scan | None) -> Source:
    if path.endswith(".py"):
        from tm.config.py_source import read_python  # noqa: PLC0415  YAML needs no syntax trees

        return read_python(data, path, depth=path.count("/") - 2, scan=scan)
    try:
        return read_yaml(data, path)
    except ConfigError as error:
        return Source(path, problems=(Problem(error, guess_tools(data)),))


def _section_problems(source: Source) -> Iterator[Problem]:
    """Yield a problem for each section that is no mapping; an empty one declares nothing."""
    for section in SECTIONS:
        value = source.data.get(section)
        if value is None or isinstance(value, dict):
            continue
        entries = value if section == "tools" and isinstance(value, list) else []
        names = tuple(name for name in map(_openai_name, entries) if name)
        said = "a list" if isinstance(value, list) else type(value).__name__
        yield Problem(
            ConfigError(
                f"{section} must be a mapping of names, not {said}",
                code="TM101" if names else "TM007",
                hint="OpenAI's list of functions becomes a mapping: NAME: {description, ...}"
                if names
                else None,
                at=source.locate((section,)),
            ),
            names,
        )


def _openai_name(entry: object) -> str | None:
    """Return the name of a tool in OpenAI's list form, or None."""
    if not isinstance(entry, dict):
        return None
    function = entry.get("function", entry)
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else None


def may_hold(data: bytes, *words: bytes) -> bool:
    """Tell whether a file may declare something of these names, by its bytes alone.

    Escapes can spell a name in another way, so a file that has some may hold anything.
    """
    return all(word in data for word in words) or any(escape in data for escape in _ESCAPES)


def guess_tools(data: bytes) -> tuple[str, ...]:
    """Return the tool names of a YAML file that does not parse: the keys right below `tools:`."""
    text = data.decode("utf-8", "replace")
    names: list[str] = []
    for block in re.finditer(
        r"^tools:[^\n]*\n((?:(?:[ \t#][^\n]*)?\r?\n)*)", text + "\n", re.MULTILINE
    ):
        if first := re.search(r"^( +)[^\s#]", block[1], re.MULTILINE):
            key = rf"^{first[1]}(?:'([^'\n]+)'|\"([^\"\n]+)\"|([^\s'\"#:]+))[ \t]*:"
            names += [hit[hit.lastindex or 0] for hit in re.finditer(key, block[1], re.MULTILINE)]
    return tuple(dict.fromkeys(names))


def has_key(data: bytes, name: str) -> bool:
    """Tell whether a broken file's text has the name as a key."""
    word = re.escape(name.encode())
    return re.search(rb"(?:^|[\s{,'\"])" + word + rb"['\"]?\s*:(?:\s|$|\{)", data) is not None
