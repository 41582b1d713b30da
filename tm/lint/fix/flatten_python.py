"""TM101 in Python: OpenAI's nesting in a dict literal becomes flat; comments stay."""

from __future__ import annotations

import ast
import copy

from tm.lint.finding import Finding
from tm.lint.fix.braces import Braces, Pair, flattened
from tm.lint.fix.edits import CantFixError
from tm.lint.fix.envelope import check_envelope
from tm.lint.fix.python_file import PythonText


def flatten_python(data: bytes, finding: Finding) -> bytes:
    """Return the file with the tool of the finding flat.

    Raises:
        CantFixError: where that is not safe.
    """
    file = PythonText(data)
    name, tool = _tool(file.tree, finding)
    function = _value(tool, "function")
    if not isinstance(function, ast.Dict):
        raise CantFixError("its `function` is no dict written out in place")
    outer, inner = _keys(tool), _keys(function)
    dropped = check_envelope(name, outer, inner, _text(function, "name"))
    wanted = copy.deepcopy(file.tree)
    _flatten(_tool(wanted, finding)[1], dropped)
    edits = flattened(
        file.offsets,
        dict_braces(file, tool),
        dict_braces(file, function),
        dropped,
        _lines_of_texts(file, function),
    )
    return file.edited(edits, wanted)


def _tool(tree: ast.Module, finding: Finding) -> tuple[str, ast.Dict]:
    """Return the name and the dict of the tool that a finding is about."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Dict):
            continue
        for key, value in zip(node.keys, node.values, strict=True):
            is_tool = isinstance(value, ast.Dict) and isinstance(key, ast.Constant)
            if is_tool and key is not None and _is_at(key, value, finding):
                return str(getattr(key, "value", "")), value  # type: ignore[return-value]  # is_tool
    raise CantFixError("the tool is not written out as a dict")


def _is_at(key: ast.expr, value: ast.expr, finding: Finding) -> bool:
    """Return whether a finding stands at a tool's name, or at its `type` or `function`."""
    if not isinstance(value, ast.Dict) or _value(value, "function") is None:
        return False
    lines = {getattr(k, "lineno", 0) for k in value.keys if _is_envelope(k)} | {key.lineno}
    named = finding.tool is None or getattr(key, "value", None) == finding.tool
    return named and finding.at.line in lines


def _is_envelope(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and key.value in {"type", "function"}


def _value(node: ast.Dict, name: str) -> ast.expr | None:
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == name:
            return value
    return None


def _text(node: ast.Dict, name: str) -> str | None:
    value = _value(node, name)
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _keys(node: ast.Dict) -> list[str]:
    """Return the keys of a dict.

    Raises:
        CantFixError: where not all of them are texts written out.
    """
    if not all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in node.keys):
        raise CantFixError("not all of its keys are written out")
    return [str(key.value) for key in node.keys if isinstance(key, ast.Constant)]


def _flatten(tool: ast.Dict, dropped: set[str]) -> None:
    """Change a dict of the tree to what it is when flat."""
    keys: list[ast.expr | None] = []
    values: list[ast.expr] = []
    for key, value in zip(tool.keys, tool.values, strict=True):
        name = getattr(key, "value", None)
        if name == "function" and isinstance(value, ast.Dict):
            for inner_key, inner in zip(value.keys, value.values, strict=True):
                if getattr(inner_key, "value", None) not in dropped:
                    keys.append(inner_key)
                    values.append(inner)
        elif name != "type":
            keys.append(key)
            values.append(value)
    tool.keys, tool.values = keys, values


def dict_braces(file: PythonText, node: ast.Dict) -> Braces:
    """Return where the pairs of a dict stand."""
    pairs = [
        Pair(str(key.value), file.offsets.start(key), file.offsets.stop(value))
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant)
    ]
    return Braces(file.offsets.start(node), file.offsets.stop(node), pairs)


def _lines_of_texts(file: PythonText, function: ast.Dict) -> set[int]:
    """Return the lines that begin inside a text: what stands there is not to be moved."""
    return {
        line
        for node in ast.walk(function)
        if isinstance(node, ast.Constant | ast.JoinedStr) and _is_one_text(file, node)
        for line in range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
    }


def _is_one_text(file: PythonText, node: ast.expr) -> bool:
    """Return whether a constant is in triple quotes, or goes on behind a backslash."""
    source = file.text[file.offsets.start(node) : file.offsets.stop(node)]
    return any(mark in source for mark in (b'"""', b"'''", b"\\\n", b"\\\r\n"))
