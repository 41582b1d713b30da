"""TM101: OpenAI's list of tools becomes a mapping of their names; each is flattened after that."""

from __future__ import annotations

import ast
import copy
import json
import re
from typing import Final

from tm.config.yaml_nodes import compose
from tm.config.yaml_source import BadYamlError, Node, parse_yaml
from tm.errors import ConfigError
from tm.lint.fix.braces import drop_pairs
from tm.lint.fix.edits import BOM, CantFixError, Edit, Offsets, apply
from tm.lint.fix.flatten_python import dict_braces
from tm.lint.fix.flatten_yaml import node_braces
from tm.lint.fix.python_file import PythonText

_PLAIN: Final = re.compile(r"(?!(?i:on|off|yes|no|y|n|true|false|null)$)[A-Za-z][A-Za-z0-9_-]*")
_SHIFT: Final = "  "


def name_list_python(data: bytes) -> bytes:
    """Return the Python file with `tools = [...]` as a dict of names.

    Raises:
        CantFixError: where that is not safe.
    """
    file = PythonText(data)
    listed = _list(file.tree)
    names = _distinct([_python_name(entry) for entry in listed.elts])
    start, stop = file.offsets.start(listed), file.offsets.stop(listed)
    edits = [Edit(start, start + 1, b"{"), Edit(stop - 1, stop, b"}")]
    for name, entry in zip(names, listed.elts, strict=True):
        at = file.offsets.start(entry)
        edits.append(Edit(at, at, f"{json.dumps(name)}: ".encode()))
        if isinstance(entry, ast.Dict):
            edits += drop_pairs(file.offsets, dict_braces(file, entry), _envelope(entry))
    wanted = copy.deepcopy(file.tree)
    for node in wanted.body:
        if isinstance(node, ast.Assign) and _is_tools(node):
            keys: list[ast.expr | None] = [ast.Constant(name) for name in names]
            node.value = ast.Dict(keys, [_bare(entry) for entry in _list(wanted).elts])
    return file.edited(edits, wanted)


def _is_tools(node: ast.Assign) -> bool:
    return len(node.targets) == 1 and getattr(node.targets[0], "id", "") == "tools"


def _list(tree: ast.Module) -> ast.List:
    for node in tree.body:
        if isinstance(node, ast.Assign) and _is_tools(node) and isinstance(node.value, ast.List):
            return node.value
    raise CantFixError("the list is not written out")


def _python_name(entry: ast.expr) -> object:
    try:
        value = ast.literal_eval(entry)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return _name_of(value)


def _envelope(entry: ast.Dict) -> set[str]:
    """Return the keys that OpenAI's flat form has beside the tool's own fields."""
    return envelope_keys(ast.literal_eval(entry))


def envelope_keys(entry: object) -> set[str]:
    """Return the keys of an entry in OpenAI's flat form that a named tool does not need."""
    if not isinstance(entry, dict) or "function" in entry:
        return set()  # with `function`, the nesting is taken off by a later fix
    return {key for key in ("name", "strict") if key in entry} | (
        {"type"} if entry.get("type") == "function" else set()
    )


def _bare(entry: ast.expr) -> ast.expr:
    """Return an entry of the tree without the keys of its envelope."""
    if isinstance(entry, ast.Dict):
        dropped = _envelope(entry)
        pairs = list(zip(entry.keys, entry.values, strict=True))
        kept = [pair for pair in pairs if getattr(pair[0], "value", None) not in dropped]
        entry.keys, entry.values = [key for key, _ in kept], [value for _, value in kept]
    return entry


def _name_of(value: object) -> object:
    function = value.get("function", value) if isinstance(value, dict) else None
    return function.get("name") if isinstance(function, dict) else None


def _distinct(names: list[object]) -> list[str]:
    texts = [name for name in names if isinstance(name, str) and name]
    if len(texts) != len(names) or len(set(texts)) != len(texts):
        raise CantFixError("not every tool of the list has a name of its own")
    return texts


def name_list_yaml(data: bytes) -> bytes:
    """Return the YAML file with a list under `tools` as a mapping of names.

    Raises:
        CantFixError: where that is not safe.
    """
    bom = BOM if data.startswith(BOM) else b""
    text = data.removeprefix(BOM).decode("utf-8")
    before = _read(data)
    names = _distinct([_name_of(entry) for entry in before["tools"]])
    key, listed = _yaml_list(text)
    new = _braced(text, listed, names) if listed.flow_style else _block(text, key, listed, names)
    mended = bom + _without_envelopes(new)
    entries = [
        {k: v for k, v in entry.items() if k not in envelope_keys(entry)}
        for entry in before["tools"]
        if isinstance(entry, dict)
    ]
    before["tools"] = dict(zip(names, entries, strict=True))
    if _read(mended) != before:
        raise CantFixError("the list can't be rewritten safely; write it as a mapping of names")
    return mended


def _without_envelopes(text: str) -> bytes:
    """Return a file whose tools are named, without OpenAI's flat form around the fields."""
    data = text.encode()
    tools = _read(data)["tools"]
    edits: list[Edit] = []
    for key, value in _pair(text).value if isinstance(tools, dict) else ():
        dropped = envelope_keys(tools[key.value])
        if dropped:
            edits += drop_pairs(Offsets(data), node_braces(text, value), dropped)
    return apply(data, edits)


def _pair(text: str) -> Node:
    found: Node = next(value for key, value in compose(text).value if key.value == "tools")
    return found


def _read(data: bytes) -> dict[str, list[object] | dict[str, object]]:
    try:
        value: dict[str, list[object] | dict[str, object]] = parse_yaml(data, "")
    except ConfigError as error:
        raise CantFixError("the list can't be rewritten safely") from error
    return value


def _yaml_list(text: str) -> tuple[Node, Node]:
    try:
        root = compose(text)
    except BadYamlError as fault:
        raise CantFixError("the file does not parse") from fault
    found: tuple[Node, Node] = next(pair for pair in root.value if pair[0].value == "tools")
    if found[1].id != "sequence":
        raise CantFixError("the list is not written out")
    return found


def _braced(text: str, listed: Node, names: list[str]) -> str:
    def at(index: int) -> int:
        return len(text[:index].encode())

    start, stop = at(listed.start_mark.index), at(listed.end_mark.index)
    edits = [Edit(start, start + 1, b"{"), Edit(stop - 1, stop, b"}")]
    for name, entry in zip(names, listed.value, strict=True):
        place = at(entry.start_mark.index)
        edits.append(Edit(place, place, f"{json.dumps(name)}: ".encode()))
    return apply(text.encode(), edits).decode()


def _block(text: str, key: Node, listed: Node, names: list[str]) -> str:
    """Return the text with each `- ` of the list replaced by a line with the name."""
    lines = re.findall(r"[^\n]*\n|[^\n]+\Z", text)
    column = listed.start_mark.column
    shift = "" if column > key.start_mark.column else _SHIFT
    first = listed.value[0].start_mark.line
    last = _last_line(lines, first, column)
    ending = "\r\n" if lines[first].endswith("\r\n") else "\n"
    named = {e.start_mark.line: name for name, e in zip(names, listed.value, strict=True)}
    for number in range(first, last + 1):
        line = lines[number]
        if number in named and line[column : column + 2] == "- ":
            name = named[number]
            label = name if _PLAIN.fullmatch(name) else json.dumps(name)
            line = f"{' ' * column}{label}:{ending}{shift}{' ' * column}  {line[column + 2 :]}"
        lines[number] = shift + line if line.strip() else line
    return "".join(lines)


def _last_line(lines: list[str], first: int, column: int) -> int:
    last = first
    for number in range(first, len(lines)):
        line = lines[number]
        indent = len(line) - len(line.lstrip(" "))
        is_item = indent == column and line.lstrip(" ").startswith("-")
        if line.strip() and not line.lstrip().startswith("#") and indent <= column and not is_item:
            break
        # A comment at the end, no deeper than the list, speaks of what follows.
        if line.strip() and (indent > column or is_item):
            last = number
    return last
