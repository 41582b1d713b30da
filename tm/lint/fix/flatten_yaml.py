"""TM101 in YAML: OpenAI's nesting becomes flat; comments, order and all other lines stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tm.config.yaml_nodes import compose
from tm.config.yaml_source import BadYamlError, Node, parse_yaml
from tm.errors import ConfigError
from tm.lint.finding import Finding
from tm.lint.fix.braces import Braces, Pair, flattened
from tm.lint.fix.edits import BOM, CantFixError, Offsets, apply
from tm.lint.fix.envelope import check_envelope

_COMMENT: Final = re.compile(r"(?:^|[ \t])(#.*)$")
_KEY_ALONE: Final = re.compile(r"[ \t]*(?:function|\"function\"|'function')[ \t]*:[ \t]*(?:#.*)?")


def flatten_yaml(data: bytes, finding: Finding) -> bytes:
    """Return the file with the tool of the finding flat.

    Raises:
        CantFixError: where that is not safe.
    """
    bom = BOM if data.startswith(BOM) else b""
    text = data.removeprefix(BOM).decode("utf-8")
    name, tool = _tool(text, finding)
    function = _pair(tool, "function")[1]
    if function.id != "mapping":
        raise CantFixError("its `function` is no mapping")
    inner_name = _pair(function, "name")[1].value if _has(function, "name") else None
    dropped = check_envelope(name, _keys(tool), _keys(function), inner_name)
    if tool.flow_style:
        mended = bom + _flat_braces(text, tool, function, dropped)
    else:
        mended = bom + "".join(_Block(_lines(text)).flat(tool, function, dropped)).encode()
    _check(data, mended, name, dropped)
    return mended


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


def _tool(text: str, finding: Finding) -> tuple[str, Node]:
    try:
        root = compose(text)
    except BadYamlError as fault:
        raise CantFixError("the file does not parse") from fault
    tools = _pair(root, "tools")[1] if root is not None and _has(root, "tools") else None
    for key, value in tools.value if tools is not None and tools.id == "mapping" else ():
        if value.id == "mapping" and _has(value, "function") and _is_at(key, value, finding):
            return key.value, value
    raise CantFixError("the tool is not written out where the finding stands")


def _is_at(key: Node, value: Node, finding: Finding) -> bool:
    nodes = [key, *(k for k, _ in value.value if k.value in {"type", "function"})]
    named = finding.tool is None or key.value == finding.tool
    return named and finding.at.line in {node.start_mark.line + 1 for node in nodes}


def _has(node: Node, name: str) -> bool:
    return node.id == "mapping" and any(key.value == name for key, _ in node.value)


def _pair(node: Node, name: str) -> tuple[Node, Node]:
    found: tuple[Node, Node] = next(pair for pair in node.value if pair[0].value == name)
    return found


def _keys(node: Node) -> list[str]:
    return [str(key.value) for key, _ in node.value]


class _Block:
    """Flattens a tool that is written over several lines."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._new: dict[int, str | None] = {}

    def flat(self, tool: Node, function: Node, dropped: set[str]) -> list[str]:
        """Return the lines of the file with the tool flat."""
        key = _pair(tool, "function")[0]
        head = key.start_mark.line
        if function.flow_style:
            return self._spread(tool, function, dropped)
        if not _KEY_ALONE.fullmatch(self._lines[head].rstrip("\r\n")):
            raise CantFixError("something stands in the line of its `function`")
        column = key.start_mark.column
        inside = self._inside(head, column)
        shift = function.value[0][0].start_mark.column - column
        for number in inside:
            self._new[number] = _moved(self._lines[number], shift)
        self._drop(head, column)
        for name in dropped:
            self._drop_pair(_pair(function, name), column)
        return self._done(tool, column)

    def _spread(self, tool: Node, function: Node, dropped: set[str]) -> list[str]:
        """Flatten a `function: {...}`: each of its fields gets a line."""
        key = _pair(tool, "function")[0]
        first, last = key.start_mark, function.end_mark
        text = "".join(self._lines)
        if "#" in text[first.index : last.index] and _has_comment(text[first.index : last.index]):
            raise CantFixError("comments stand in the braces of its `function`")
        rest = self._lines[last.line][last.column :]
        ending = "\r\n" if rest.endswith("\r\n") else "\n"
        fields = [
            " " * first.column + text[k.start_mark.index : v.end_mark.index]
            for k, v in function.value
            if k.value not in dropped
        ]
        self._new.update(dict.fromkeys(range(first.line, last.line + 1)))
        self._new[first.line] = ending.join(fields) + rest
        return self._done(tool, first.column)

    def _done(self, tool: Node, column: int) -> list[str]:
        """Return the lines, `type` taken out of the tool as well."""
        if _has(tool, "type"):
            self._drop_pair(_pair(tool, "type"), column)
        lines = [self._new.get(n, line) for n, line in enumerate(self._lines)]
        return [line for line in lines if line is not None]

    def _inside(self, head: int, column: int) -> range:
        """Return the lines below a key: those that are indented deeper, and comments there."""
        last = head
        for number in range(head + 1, len(self._lines)):
            line = self._lines[number].strip()
            indent = _indent(self._lines[number])
            if line and indent <= column and not line.startswith("#"):
                break
            if line and indent > column:
                last = number
        return range(head + 1, last + 1)

    def _drop_pair(self, pair: tuple[Node, Node], column: int) -> None:
        key, value = pair
        if key.start_mark.line != value.end_mark.line or value.id != "scalar":
            raise CantFixError(f"its '{key.value}' is written over several lines")
        line = self._lines[key.start_mark.line]
        rest = line[value.end_mark.column :].strip()
        if line[: key.start_mark.column].strip() or (rest and not rest.startswith("#")):
            raise CantFixError(f"something stands in the line of its '{key.value}'")
        self._drop(key.start_mark.line, column, value.end_mark.column)

    def _drop(self, number: int, column: int, behind: int = 0) -> None:
        """Take a line out; its comment stays, in a line of its own."""
        line = self._lines[number]
        body = line.rstrip("\r\n")
        comment = _COMMENT.search(body[behind:])
        kept = " " * column + comment[1] + line[len(body) :] if comment else None
        self._new[number] = kept


def _flat_braces(text: str, tool: Node, function: Node, dropped: set[str]) -> bytes:
    """Return the text with a tool that is written in braces flat."""
    if not function.flow_style:
        raise CantFixError("its braces can't be followed")
    data = text.encode()
    edits = flattened(
        Offsets(data), node_braces(text, tool), node_braces(text, function), dropped, set()
    )
    return apply(data, edits)


def node_braces(text: str, node: Node) -> Braces:
    """Return where the pairs of a mapping stand."""

    def offset(index: int) -> int:
        return len(text[:index].encode())

    pairs = [
        Pair(str(key.value), offset(key.start_mark.index), offset(value.end_mark.index))
        for key, value in node.value
    ]
    return Braces(offset(node.start_mark.index), offset(node.end_mark.index), pairs)


def _has_comment(text: str) -> bool:
    return any(_COMMENT.search(line) for line in text.splitlines())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _moved(line: str, shift: int) -> str:
    """Return a line moved left; an empty one stays."""
    return line[min(_indent(line), shift) :] if line.strip() else line


def _check(before: bytes, after: bytes, name: str, dropped: set[str]) -> None:
    """Refuse a result that does not say the same, but flat."""
    wanted, found = _read(before), _read(after)
    tool: Mapping[str, Any] = wanted["tools"][name]
    flat: dict[str, Any] = {}
    for key, value in tool.items():
        if key == "function":
            flat.update({k: v for k, v in value.items() if k not in dropped})
        elif key != "type":
            flat[key] = value
    wanted["tools"][name] = flat
    if found != wanted or list(found["tools"][name]) != list(flat):
        raise CantFixError("it can't be rewritten safely where it stands; rewrite it by hand")


def _read(data: bytes) -> Any:
    try:
        return parse_yaml(data, "")
    except ConfigError as error:
        raise CantFixError("it can't be rewritten safely where it stands") from error
