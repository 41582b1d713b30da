"""Makes a config file declare something else, and changes nothing but that in its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.config.edit.differences import (
    Differences,
    NotWrittenOutError,
    TextEdit,
    applied,
    same,
)
from tm.config.edit.layout import Entry, PythonPlaces, yaml_place
from tm.config.edit.written import PythonWriter, YamlWriter
from tm.config.reader import read_source
from tm.errors import ConfigError, Location

_BOM: Final = "\ufeff"


def changed(data: bytes, path: str, wanted: Mapping[str, Any]) -> bytes:
    """Return the file's bytes so that they declare what is wanted.

    Args:
        data: the file now.
        path: relative to the root; names the kind of the file.
        wanted: its sections, with what is to stand in them.

    Raises:
        ConfigError: what is to change is not written out plainly in the file.
    """
    before = read_source(data, path).data
    text = data.decode("utf-8")
    mark = _BOM if text.startswith(_BOM) else ""
    text = text.removeprefix(_BOM)
    ending = "\r\n" if "\r\n" in text else "\n"
    edits = _python_edits if path.endswith(".py") else _yaml_edits
    try:
        new = applied(text, edits(text, before, wanted))
    except NotWrittenOutError as reason:
        raise _by_hand(path, str(reason)) from reason
    # Old lines keep their ends, whatever they are; new ones get those of the file.
    if ending == "\r\n":
        new = re.sub(r"(?<!\r)\n", "\r\n", new)
    after = (mark + new).encode()
    if not same(dict(read_source(after, path).data), dict(wanted)):
        raise _by_hand(path, "an alias, or the way it is written, stands in the way")
    return after


def _by_hand(path: str, why: str) -> ConfigError:
    return ConfigError(
        f"{path} can't be changed safely: {why}",
        code="TM500",
        hint="write it by hand",
        at=Location(path, 1),
    )


def _yaml_edits(
    text: str, before: Mapping[str, Any], wanted: Mapping[str, Any]
) -> Iterator[TextEdit]:
    from tm.config.yaml_nodes import compose  # noqa: PLC0415  PyYAML costs a start 20 ms

    top = yaml_place(text, compose(text))
    yield from Differences(text, YamlWriter()).edits(
        Entry(None, 0, 0, top), dict(before), dict(wanted)
    )


def _python_edits(
    text: str, before: Mapping[str, Any], wanted: Mapping[str, Any]
) -> Iterator[TextEdit]:
    places = PythonPlaces(text)
    differences = Differences(text, PythonWriter())
    values = {
        target.id: node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for section, value in wanted.items():
        if not same(before[section], value):
            place = places.place(values[section])
            entry = Entry(section, place.start, place.start, place)
            yield from differences.edits(entry, before[section], value)
