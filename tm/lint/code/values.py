"""What an expression stands for: a part of ctx, or constant texts.

What lives here: evaluating expressions in a frame of names. What must not: control flow.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from itertools import islice, product
from typing import Any, Final, Protocol, TypeAlias

from tm.lint.subjects import LintFile
from tm.records import record

Path: TypeAlias = tuple[str, ...]
"""Keys from ctx to a value, `()` for ctx itself; an attribute of such a value begins with a dot."""

CTX_KEYS: Final = (
    "tenant",
    "chat_id",
    "user_id",
    "session",
    "config",
    "api_config",
    "http",
    "logger",
    "tool",
    "files_path",
)
MAPPING_METHODS: Final = frozenset(
    {"get", "keys", "values", "items", "copy", "pop", "popitem", "setdefault", "update", "clear"}
)
COPY: Final[Path] = ("+",)
"""A copy of ctx, which may have further keys."""

_MAX_TEXTS = 64
_MAX_STEPS = 8
_MAX_LENGTH = 500
"""Longer texts name no tool, and constants made of constants can grow without end."""
_WRAPPERS = frozenset({"list", "tuple", "sorted", "reversed", "set", "frozenset", "iter"})


@record
class Text:
    """A constant text, and where it is written."""

    value: str
    file: LintFile
    node: ast.AST


@record
class Known:
    """What is known of a value.

    Attributes:
        path: the part of ctx that it is; None where it is none, or that is not known.
        texts: the constant texts that it can be.
    """

    path: Path | None = None
    texts: tuple[Text, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Return what tells it from others."""
        return (self.path, tuple(text.value for text in self.texts))


UNKNOWN: Final = Known()


class Names(Protocol):
    """Where an expression's names are looked up."""

    file: LintFile

    def known(self, name: str) -> Known:
        """Return what a name stands for."""
        ...

    def table(self, name: str) -> tuple[LintFile, ast.expr] | None:
        """Return the only literal that is assigned to a name, and its file."""
        ...

    def returned(self, call: ast.Call) -> Known:
        """Return what a call of a function of this home gives back."""
        ...


def evaluate(node: ast.expr, names: Names) -> Known:
    """Return what an expression stands for."""
    if isinstance(node, ast.Constant):
        texts = (Text(node.value, names.file, node),) if isinstance(node.value, str) else ()
        return Known(texts=texts)
    find = _KINDS.get(type(node))
    return find(node, names) if find else UNKNOWN


def union(values: Iterable[Known]) -> Known:
    """Return what a value is that can be any of several."""
    path: Path | None = None
    texts: dict[str, Text] = {}
    for value in values:
        path = value.path if path is None else path
        for text in value.texts:
            texts.setdefault(text.value, text)
    return Known(path, tuple(islice(texts.values(), _MAX_TEXTS)))


def _name(node: ast.Name, names: Names) -> Known:
    return names.known(node.id)


def _attribute(node: ast.Attribute, names: Names) -> Known:
    base = evaluate(node.value, names).path
    if base is None:
        return UNKNOWN
    if base in {(), COPY}:
        return UNKNOWN if node.attr in MAPPING_METHODS else Known((node.attr,))
    return Known((*base, f".{node.attr}"))


def _subscript(node: ast.Subscript, names: Names) -> Known:
    path = evaluate(node.value, names).path
    if path is None:
        return _entry(node.value, node.slice, names)
    return _part(path, node.slice)


def _part(path: Path, key: ast.expr) -> Known:
    """Return a part of ctx by its key."""
    text = key.value if isinstance(key, ast.Constant) else None
    if path == COPY:
        return Known((text,)) if text in CTX_KEYS else UNKNOWN
    return Known((*path, str(text) if text is not None else "?"))


def _entry(table: ast.expr, key: ast.expr, names: Names) -> Known:
    """Return the entry of a literal table; any of them where the key is not constant."""
    found = literal(table, names)
    if found is None:
        return UNKNOWN
    inner, node = found
    if isinstance(node, ast.Dict) and isinstance(key, ast.Constant):
        pairs = zip(node.keys, node.values, strict=True)
        values = [value for one, value in pairs if getattr(one, "value", None) == key.value]
    else:
        values = items(node)
    return union(evaluate(value, inner) for value in values)


def items(node: ast.expr) -> list[ast.expr]:
    """Return the values of a literal dict, list, tuple or set."""
    if isinstance(node, ast.Dict):
        return list(node.values)
    return list(getattr(node, "elts", []))


class _Elsewhere:
    """Names of another file, where a constant stands that was imported."""

    def __init__(self, file: LintFile, names: Names) -> None:
        self.file = file
        self._names = names

    def known(self, name: str) -> Known:
        return self._names.known(name)

    def table(self, name: str) -> tuple[LintFile, ast.expr] | None:
        return self._names.table(name)

    def returned(self, call: ast.Call) -> Known:
        return self._names.returned(call)


def literal(node: ast.expr, names: Names, depth: int = 0) -> tuple[Names, ast.expr] | None:
    """Return the literal dict, list, tuple or set that an expression is, and its names."""
    if depth > _MAX_STEPS:
        return None
    if isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set):
        return names, node
    if isinstance(node, ast.Name):
        found = names.table(node.id)
        if found is None or isinstance(found[1], ast.Name):
            return None
        inner = names if found[0] is names.file else _Elsewhere(found[0], names)
        return literal(found[1], inner, depth + 1)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
        return literal(node.args[0], names, depth + 1) if node.func.id in _WRAPPERS else None
    return None


def _call(node: ast.Call, names: Names) -> Known:
    func = node.func
    if isinstance(func, ast.Attribute):
        return _method(node, func, names)
    if isinstance(func, ast.Name):
        if func.id == "cast" and len(node.args) == 2:
            return evaluate(node.args[1], names)
        if func.id == "getattr" and len(node.args) >= 2:
            return _getattr(node, names)
        if func.id == "dict" and node.args and _is_ctx(node.args[0], names):
            return Known(COPY)
    return names.returned(node)


def _getattr(node: ast.Call, names: Names) -> Known:
    base = evaluate(node.args[0], names).path
    return Known((*base, ".?")) if base else UNKNOWN


def _method(node: ast.Call, func: ast.Attribute, names: Names) -> Known:
    """Return what `.get(key)` on ctx, a part of it or a table gives, and `.copy()`."""
    path = evaluate(func.value, names).path
    if func.attr == "copy" and path in {(), COPY}:
        return Known(COPY)
    if func.attr != "get" or not node.args:
        return names.returned(node)
    if path is not None:
        return _part(path, node.args[0]) if path[:1] != ("http",) else UNKNOWN
    entry = _entry(func.value, node.args[0], names)
    if entry.texts and isinstance(node.args[0], ast.Constant):
        return entry  # it is there, so the default is not used
    return union([entry, *(evaluate(default, names) for default in node.args[1:])])


def _is_ctx(node: ast.expr, names: Names) -> bool:
    return evaluate(node, names).path in {(), COPY}


def _dict(node: ast.Dict, names: Names) -> Known:
    """Return a copy of ctx for `{**ctx, ...}`."""
    merged = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
    return Known(COPY) if any(_is_ctx(value, names) for value in merged) else UNKNOWN


def _either(node: ast.IfExp, names: Names) -> Known:
    return union([evaluate(node.body, names), evaluate(node.orelse, names)])


def _any(node: ast.BoolOp, names: Names) -> Known:
    return union(evaluate(value, names) for value in node.values)


def _walrus(node: ast.NamedExpr, names: Names) -> Known:
    return evaluate(node.value, names)


def _join(node: ast.BinOp, names: Names) -> Known:
    if isinstance(node.op, ast.BitOr) and _is_ctx(node.left, names):
        return Known(COPY)
    if not isinstance(node.op, ast.Add):
        return UNKNOWN
    return _joined(
        [evaluate(node.left, names).texts, evaluate(node.right, names).texts], node, names
    )


def _f_string(node: ast.JoinedStr, names: Names) -> Known:
    parts: list[tuple[Text, ...]] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None or part.conversion != -1:
                return UNKNOWN
            parts.append(evaluate(part.value, names).texts)
        else:
            parts.append(evaluate(part, names).texts)
    return _joined(parts, node, names)


def _joined(parts: list[tuple[Text, ...]], node: ast.expr, names: Names) -> Known:
    rows = islice(product(*parts), _MAX_TEXTS)
    joined = ("".join(text.value for text in row) for row in rows)
    short = [value for value in joined if len(value) <= _MAX_LENGTH]
    return Known(texts=tuple(Text(value, names.file, node) for value in short))


_KINDS: Final[Mapping[type[ast.expr], Callable[[Any, Names], Known]]] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.Dict: _dict,
    ast.IfExp: _either,
    ast.BoolOp: _any,
    ast.NamedExpr: _walrus,
    ast.BinOp: _join,
    ast.JoinedStr: _f_string,
}
