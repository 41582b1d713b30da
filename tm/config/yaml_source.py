"""YAML files to plain JSON data: our own rules on PyYAML's parser.

Composing to nodes is PyYAML's (in C where it is built so); what the nodes mean is decided here.
No tag, no Python object, no second document; positions are those of the keys.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, TypeAlias

from tm.config.scalars import COLLECTION, MERGE, TEXT
from tm.config.source import MAX_FILE_BYTES, SECTIONS, KeyPath, Places, Source
from tm.errors import ConfigError, Location, did_you_mean

Node: TypeAlias = Any
"""A PyYAML node whose tag is a `Kind`: what its stubs do not know."""

MAX_DEPTH: Final = 128
MAX_ALIASED_NODES: Final = 100_000
"""Nodes that all aliases of a file together may add; more is an alias bomb."""

_LONE_CR = re.compile(rb"\r(?!\n)")
_COLON_IN_TEXT = re.compile(r"[^\s:#'\"\[{][^'\"\[{]*:\s+[^'\"\[{]*:\s")


class BadYamlError(Exception):
    """A fault at a place, before the file's path is known."""

    def __init__(self, code: str, message: str, line: int, col: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = line
        self.col = col


def read_yaml(data: bytes, path: str) -> Source:
    """Read one YAML config file.

    Args:
        data: the file's bytes.
        path: relative to the root, for errors.

    Raises:
        ConfigError: TM001 to TM005, with line and column.
    """
    try:
        text = check_bytes(data)
        root = _compose(text)
        value = _Builder().build(root, 0) if root else None
    except BadYamlError as fault:
        raise _to_error(fault, path, data) from fault
    if root is None or value is None:
        raise _none_of_the_keys(path, "the file is empty")
    if not isinstance(value, dict):
        at = Location(path, root.start_mark.line + 1, root.start_mark.column + 1)
        raise ConfigError("a config file is a mapping, not a list or text", code="TM005", at=at)
    return _checked_source(path, value, root, text)


def parse_yaml(data: bytes, path: str) -> Any:
    """Read one YAML document of any shape to JSON data, by the same rules.

    Raises:
        ConfigError: TM001 to TM004, with line and column.
    """
    try:
        root = _compose(check_bytes(data))
        return _Builder().build(root, 0) if root else None
    except BadYamlError as fault:
        raise _to_error(fault, path, data) from fault


def _checked_source(path: str, value: dict[str, Any], root: Node, text: str) -> Source:
    """Return the source, or raise TM005 where it has none of the sections."""
    if not any(section in value for section in SECTIONS):
        key = next(iter(value), None)
        near = did_you_mean(str(key), SECTIONS) if key else ""
        raise _none_of_the_keys(path, "none of its keys is known", near)

    def locate_deep(keys: KeyPath) -> tuple[int, int] | None:
        return find_key(_compose_again(text), keys)

    return Source(path, value, _key_places(root), locate_deep=locate_deep)


def _none_of_the_keys(path: str, why: str, near: str = "") -> ConfigError:
    """Return the error of a file that declares nothing."""
    return ConfigError(
        f"{why}; a config file has at least one of {', '.join(SECTIONS)}{near}",
        code="TM005",
        hint="a YAML file that is no config belongs outside the tenant, or into files/",
        at=Location(path, 1),
    )


def check_bytes(data: bytes) -> str:
    """Return the text of a file's bytes: UTF-8, with or without BOM, LF or CRLF.

    Raises:
        BadYamlError: TM001 (too large, lone CR), TM004 (not UTF-8).
    """
    if len(data) > MAX_FILE_BYTES:
        raise BadYamlError("TM001", f"larger than {MAX_FILE_BYTES:,} bytes", 1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise BadYamlError("TM004", what, line) from error
    if b"\r" in data and (hit := _LONE_CR.search(data)):
        line = data.count(b"\n", 0, hit.start()) + 1
        raise BadYamlError("TM001", "a line ends in CR alone; save with LF or CRLF", line)
    return text


def _compose(text: str) -> Node | None:
    """Return the root node of the only document, or None for an empty file."""
    from tm.config.yaml_nodes import compose  # noqa: PLC0415  PyYAML costs a start 20 ms

    return compose(text)


@lru_cache(maxsize=1)
def _compose_again(text: str) -> Node | None:
    """Return the nodes of a text; kept, since who asks for one place asks for others too."""
    return _compose(text)


class _Builder:
    """Turns nodes into data and counts what aliases add."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._added = 0

    def build(self, node: Node, depth: int) -> Any:
        """Return the node's value; `depth` grows past the limit only through an alias."""
        tag: Any = node.tag  # the composer puts a Kind there
        if tag is TEXT or tag is MERGE:
            return node.value
        if tag is COLLECTION:
            return self._collection(node, depth)
        if callable(tag):
            try:
                return tag(node.value)
            except ValueError as error:
                raise _at(node, "TM001", str(error)) from error
        raise _at(node, "TM003", f"tag {_short_tag(tag)} is not allowed; config is plain data")

    def _collection(self, node: Node, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _at(node, "TM003", "an alias leads to itself")
        self._count(node)
        if node.id == "sequence":
            below = depth + 1
            return [
                item.value if item.tag is TEXT else self.build(item, below) for item in node.value
            ]
        return self._mapping(node, depth + 1)

    def _count(self, node: Node) -> None:
        """Count a collection that was built before: only an alias leads to it again."""
        if id(node) in self._seen:
            self._added += len(node.value) + 1
            if self._added > MAX_ALIASED_NODES:
                raise _at(node, "TM003", "aliases blow this file up (an alias bomb)")
        self._seen.add(id(node))

    def _mapping(self, node: Node, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        merged: Node | None = None
        for key_node, value_node in node.value:
            tag = key_node.tag
            if tag is MERGE:
                if merged is not None:
                    raise _at(key_node, "TM002", "duplicate key '<<'; merge a list instead")
                merged = value_node
                continue
            if tag is not TEXT:
                raise _key_fault(key_node)
            key = key_node.value
            if key in result:
                first = next(one for one, _ in node.value if one.value == key)
                line = first.start_mark.line + 1
                what = f"duplicate key {key[:80]!r}; it is in line {line} already"
                raise _at(key_node, "TM002", what)
            # Most values are these: a call for each would cost half of the time.
            is_text = value_node.tag is TEXT
            result[key] = value_node.value if is_text else self.build(value_node, depth)
        return result if merged is None else self._merge(merged, result, depth)

    def _merge(self, node: Node, own: dict[str, Any], depth: int) -> dict[str, Any]:
        """Add the fields of `<<`: what stands here itself wins, then the first in the list."""
        for part in node.value if node.id == "sequence" else [node]:
            if part.id != "mapping":
                raise _at(part, "TM001", "'<<' takes a mapping or a list of mappings")
            for key, value in self.build(part, depth + 1).items():
                own.setdefault(key, value)
        return own


def _short_tag(tag: object) -> str:
    """Return a tag as it is written in the file."""
    return str(tag).replace("tag:yaml.org,2002:", "!!")[:60]


def _key_fault(node: Node) -> BadYamlError:
    """Say why a key is no text."""
    if node.id != "scalar":
        return _at(node, "TM003", "a key is text, not a list or mapping")
    if isinstance(node.tag, str):
        return _at(node, "TM003", f"tag {_short_tag(node.tag)} is not allowed; keys are plain text")
    return _at(node, "TM003", f"key {node.value[:40]!r} is not text; quote it")


def _at(node: Node, code: str, message: str) -> BadYamlError:
    """Return a fault at a node's start."""
    return BadYamlError(code, message, node.start_mark.line + 1, node.start_mark.column + 1)


def _key_places(root: Node) -> Places:
    """Return the places of the keys of the first three levels."""
    places: Places = {}
    _add_places(root, (), places)
    return places


def _add_places(node: Node, prefix: KeyPath, places: Places) -> None:
    """Add a mapping's keys, and those below down to the third level."""
    for key, value in _pairs(node):
        keys = (*prefix, key.value)
        places.setdefault(keys, (key.start_mark.line + 1, key.start_mark.column + 1))
        if len(keys) < 3 and value.id == "mapping":
            _add_places(value, keys, places)


def _pairs(node: Node) -> list[tuple[Node, Node]]:
    """Return a mapping's pairs, its own ones first, then merged ones."""
    own = [pair for pair in node.value if pair[0].tag is not MERGE]
    for key, value in node.value:
        if key.tag is MERGE:
            for part in value.value if value.id == "sequence" else [value]:
                own += _pairs(part)
    return own


def find_key(root: Node | None, keys: KeyPath) -> tuple[int, int] | None:
    """Return line and column of a key or list item, or None where it is not there."""
    node, mark = root, None
    for key in keys:
        if node is None or node.id == "scalar":
            return None
        if node.id == "sequence":
            if not isinstance(key, int) or not 0 <= key < len(node.value):
                return None
            node = node.value[key]
            mark = node.start_mark
            continue
        found = _find_pair(node, key)
        if found is None:
            return None
        mark, node = found[0].start_mark, found[1]
    return (mark.line + 1, mark.column + 1) if mark else None


def _find_pair(node: Node, key: str | int) -> tuple[Node, Node] | None:
    """Return the pair of a key, or None."""
    return next((pair for pair in _pairs(node) if pair[0].value == key), None)


def _to_error(fault: BadYamlError, path: str, data: bytes) -> ConfigError:
    """Return the error with the file's path and, where the line shows it, a hint."""
    lines = data.decode("utf-8", "replace").split("\n")
    line = lines[fault.line - 1] if fault.line <= len(lines) else ""
    return ConfigError(
        fault.message,
        code=fault.code,
        hint=_hint(line, fault),
        at=Location(path, fault.line, fault.col),
    )


def _hint(line: str, fault: BadYamlError) -> str | None:
    """Return the next step for the usual mistakes."""
    if "{{" in line:
        return 'a value that begins with {{ is quoted: "{{name}}"'
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with spaces, never with tabs"
    before = line[: (fault.col or len(line)) - 1]  # at the first colon only indentation is wrong
    if fault.code == "TM001" and ": " in before and _COLON_IN_TEXT.search(line):
        return "a text that holds ': ' is quoted"
    if "flow" in fault.message:
        return "a [ or { is not closed, or a comma is missing"
    if "expected key" in fault.message or "mapping values" in fault.message:
        return "look at the spaces before this line, and for a quote above it that is not closed"
    if fault.code == "TM003" and "tag" in fault.message:
        return "leave the tag out; quote a value that is meant as text"
    return None
