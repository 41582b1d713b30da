"""TM104: a misspelt name in `required` becomes the one property that it must mean."""

from __future__ import annotations

import ast
from difflib import SequenceMatcher
from typing import Final

from tm.config.yaml_nodes import compose
from tm.config.yaml_source import BadYamlError, Node
from tm.errors import nearest
from tm.lint.finding import Finding
from tm.lint.fix.edits import BOM, CantFixError, Edit, apply
from tm.lint.fix.python_file import PythonText

_NEAR: Final = 0.8
_APART: Final = 0.1


def meant(name: str, properties: list[str], required: list[str]) -> str:
    """Return the property that a name in `required` means.

    Raises:
        CantFixError: where none, or several, may be meant.
    """
    near = [found for found in nearest(name, properties) if found not in required]
    if len(near) == 1 or (near and _is_clear(name, near[0], near[1])):
        return near[0]
    what = "no property is" if not near else "several properties are"
    raise CantFixError(f"{what} near {name!r:.60}; add the property or take the name out")


def _is_clear(name: str, best: str, next_best: str) -> bool:
    """Return whether one property is much nearer than the next one."""
    first, second = (
        SequenceMatcher(None, name.lower(), other.lower()).ratio() for other in (best, next_best)
    )
    return first >= _NEAR and first - second >= _APART


def fix_required_python(data: bytes, finding: Finding) -> bytes:
    """Return the Python file with the name at the finding's place put right.

    Raises:
        CantFixError: where that is not safe.
    """
    file = PythonText(data)
    for schema in ast.walk(file.tree):
        if not isinstance(schema, ast.Dict):
            continue
        pairs = {
            getattr(k, "value", None): v for k, v in zip(schema.keys, schema.values, strict=True)
        }
        names = getattr(pairs.get("required"), "elts", [])
        for node in names:
            if node.lineno == finding.at.line and file.column(node) == finding.at.col:
                return _replaced(file, node, pairs.get("properties"), names)
    raise CantFixError("the name is not written out where the finding stands")


def _replaced(
    file: PythonText, node: ast.expr, properties: ast.expr | None, names: list[ast.expr]
) -> bytes:
    if not isinstance(node, ast.Constant) or not isinstance(properties, ast.Dict):
        raise CantFixError("its properties are not written out beside it")
    known = [str(key.value) for key in properties.keys if isinstance(key, ast.Constant)]
    new = meant(str(node.value), known, [str(getattr(n, "value", "")) for n in names])
    start, stop = file.offsets.start(node), file.offsets.stop(node)
    old = str(node.value).encode()
    source = file.text[start:stop]
    if source.count(old) != 1:
        raise CantFixError("the name is not written out plainly")
    node.value = new
    return file.edited([Edit(start, stop, source.replace(old, new.encode()))], file.tree)


def fix_required_yaml(data: bytes, finding: Finding) -> bytes:
    """Return the YAML file with the name at the finding's place put right.

    Raises:
        CantFixError: where that is not safe.
    """
    bom = BOM if data.startswith(BOM) else b""
    text = data.removeprefix(BOM).decode("utf-8")
    try:
        found = _find(compose(text), finding, set())
    except BadYamlError as fault:
        raise CantFixError("the file does not parse") from fault
    if found is None:
        raise CantFixError("the name is not written out where the finding stands")
    node, known, names = found
    new = meant(node.value, known, names)
    start, stop = node.start_mark.index, node.end_mark.index
    source = text[start:stop]
    if source.count(node.value) != 1:
        raise CantFixError("the name is not written out plainly")
    edit = Edit(
        len(text[:start].encode()),
        len(text[:stop].encode()),
        source.replace(node.value, new).encode(),
    )
    return bom + apply(text.encode(), [edit])


def _find(node: Node, finding: Finding, seen: set[int]) -> tuple[Node, list[str], list[str]] | None:
    """Return the scalar at the finding's place, the properties beside it, and all its list."""
    if node is None or node.id == "scalar" or id(node) in seen:
        return None
    seen.add(id(node))
    if node.id == "mapping":
        pairs = {key.value: value for key, value in node.value if isinstance(key.value, str)}
        required, properties = pairs.get("required"), pairs.get("properties")
        if required is not None and required.id == "sequence":
            for item in required.value:
                if _is_at(item, finding) and properties is not None:
                    known = [str(key.value) for key, _ in properties.value]
                    return item, known, [str(part.value) for part in required.value]
    parts = [value for _, value in node.value] if node.id == "mapping" else node.value
    return next((hit for part in parts if (hit := _find(part, finding, seen))), None)


def _is_at(node: Node, finding: Finding) -> bool:
    mark = node.start_mark
    here = (mark.line + 1, mark.column + 1)
    return node.id == "scalar" and here == (finding.at.line, finding.at.col)
