"""One config file of any kind to its source; a broken one is a source that holds its problem."""

from __future__ import annotations

import re

from tm.config.source import Source
from tm.config.yaml_source import read_yaml
from tm.errors import ConfigError
from tm.model import Problem

_ESCAPES = (b"\\x", b"\\u", b"\\U")


def read_source(data: bytes, path: str) -> Source:
    """Read a config file.

    Args:
        data: the file's bytes.
        path: relative to the root: `tenants/<home>/...`.
    """
    if path.endswith(".py"):
        from tm.config.py_source import read_python  # noqa: PLC0415  YAML needs no syntax trees

        return read_python(data, path, depth=path.count("/") - 2)
    try:
        return read_yaml(data, path)
    except ConfigError as error:
        return Source(path, problems=(Problem(error, guess_tools(data)),))


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
