"""Plain data in Python's syntax: literals, constants of the module, and little more.

Nothing is run. What lives here: reading a value from a syntax tree.
"""

from __future__ import annotations

import ast
import math
from typing import Any, Final

from tm.config.py_module import MAX_DEPTH, Module, NotPlainError
from tm.config.scalars import MAX_DIGITS

FUNCTION_FIELDS: Final = frozenset({"preprocess", "postprocess", "handler"})
MAX_BUDGET: Final = 500_000
"""Values and characters that one file may build by naming constants again and again."""


class ValueReader:
    """Reads values of one module; its budget is for all of them together."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._budget = MAX_BUDGET
        self._depth = 0

    def read(self, node: ast.expr) -> Any:
        """Return the value of an expression of plain data.

        Raises:
            NotPlainError: for anything else.
        """
        self._spend(node, 1)
        self._depth += 1
        try:
            if self._depth > MAX_DEPTH:
                raise NotPlainError(node, f"nested deeper than {MAX_DEPTH} levels", code="TM001")
            return self._read(node)
        finally:
            self._depth -= 1

    def _spend(self, node: ast.expr, amount: int) -> None:
        self._budget -= amount
        if self._budget < 0:
            raise NotPlainError(
                node, "the constants of this file build too much data", code="TM001"
            )

    def _read(self, node: ast.expr) -> Any:
        """Read one kind of expression each."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Dict():
                return self._dict(node)
            case ast.List() | ast.Tuple():
                return self._list(node)
            case ast.Name():
                return self.read(self._module.constant(node))
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.JoinedStr():
                return self._f_string(node)
        raise NotPlainError(node, f"{_WORDS.get(type(node), 'this expression')} is no plain data")

    def read_mapping(self, node: ast.expr) -> dict[str, Any]:
        """Read what stands after `**`, or is joined by `|`.

        Raises:
            NotPlainError: it is no plain data, or no mapping.
        """
        value = self.read(node)
        if not isinstance(value, dict):
            raise NotPlainError(node, "only a mapping can be merged into a mapping")
        return value

    def read_key(self, node: ast.expr, seen: set[str]) -> str:
        """Read a key: text, once.

        Raises:
            NotPlainError: TM003 (no text), TM002 (twice in the same braces).
        """
        key = self.read(node)
        if not isinstance(key, str):
            raise NotPlainError(
                node, f"key {key!r:.40} is not text; quote it", code="TM003", hint=None
            )
        if key in seen:
            raise NotPlainError(node, f"duplicate key {key[:80]!r}", code="TM002", hint=None)
        seen.add(key)
        return key

    def read_under(self, key: str, node: ast.expr) -> Any:
        """Read the value of a key; some keys take a function.

        Raises:
            NotPlainError: it is no plain data; TM117, where a function has to stand.
        """
        if key not in FUNCTION_FIELDS:
            return self.read(node)
        if found := self._module.function(node):
            return found
        if isinstance(node, ast.Constant | ast.Dict | ast.JoinedStr | ast.BinOp):
            return self.read(node)
        if isinstance(node, ast.Name) and not self._is_unknown(node):
            return self.read(node)
        what = _WORDS.get(type(node), "this expression")
        raise NotPlainError(
            node,
            f"{key} names {what}, not a function",
            code="TM117",
            hint="name a top-level def of this file, one imported by 'from .file import name', "
            "or write 'FILE:FUNCTION'",
        )

    def _is_unknown(self, node: ast.Name) -> bool:
        """Tell whether a name is no constant: a class, or from a library."""
        try:
            self._module.constant(node)
        except NotPlainError:
            return True
        return False

    def _constant(self, node: ast.Constant) -> Any:
        value = node.value
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(node, value)
        if isinstance(value, int | float):
            return _number(node, value)
        raise NotPlainError(node, f"{type(value).__name__} is no JSON value")

    def _text(self, node: ast.expr, value: str) -> str:
        """Return a text that can be written anywhere."""
        self._spend(node, len(value) // 16)
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise NotPlainError(node, "a lone surrogate is no text", code="TM001", hint=None)
        return value

    def _dict(self, node: ast.Dict) -> dict[str, Any]:
        result: dict[str, Any] = {}
        seen: set[str] = set()
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                result |= self.read_mapping(value)
            else:
                name = self.read_key(key, seen)
                result[name] = self.read_under(name, value)
        return result

    def _list(self, node: ast.List | ast.Tuple) -> list[Any]:
        result: list[Any] = []
        for item in node.elts:
            if not isinstance(item, ast.Starred):
                result.append(self.read(item))
                continue
            value = self.read(item.value)
            if not isinstance(value, list):
                raise NotPlainError(item, "only a list can be unpacked into a list")
            result += value
        return result

    def _binary(self, node: ast.BinOp) -> Any:
        """Join texts, lists and mappings, or compute with two numbers."""
        left, right = self.read(node.left), self.read(node.right)
        if isinstance(node.op, ast.BitOr) and isinstance(left, dict) and isinstance(right, dict):
            return left | right
        if isinstance(node.op, ast.Add) and type(left) is type(right):
            if isinstance(left, str):
                return self._text(node, left + right)
            if isinstance(left, list):
                return left + right
        if _is_number(left) and _is_number(right):
            return _compute(node, left, right)
        raise NotPlainError(node, "these two values can't be joined here")

    def _unary(self, node: ast.UnaryOp) -> Any:
        value = self.read(node.operand)
        if isinstance(node.op, ast.Not):
            return not value
        if _is_number(value) and isinstance(node.op, ast.USub | ast.UAdd):
            return -value if isinstance(node.op, ast.USub) else value
        raise NotPlainError(node, "this operator is no plain data")

    def _f_string(self, node: ast.JoinedStr) -> str:
        return self._text(node, "".join(self._f_part(part) for part in node.values))

    def _f_part(self, part: ast.expr) -> str:
        """Return one part of an f-string: text, or a constant without a format."""
        if not isinstance(part, ast.FormattedValue):
            return str(self.read(part))
        if part.format_spec is not None or part.conversion != -1:
            raise NotPlainError(part, "a format in an f-string is not read; write the text out")
        value = self.read(part.value)
        if isinstance(value, dict | list):
            raise NotPlainError(part, "an f-string here takes texts and numbers only")
        return str(value)


_WORDS: Final[dict[type, str]] = {
    ast.Call: "a call",
    ast.Lambda: "a lambda",
    ast.Name: "a name that is no function of this home",
    ast.Attribute: "an attribute",
    ast.Set: "a set",
    ast.ListComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.IfExp: "a condition",
    ast.Subscript: "a subscript",
}


def _is_number(value: object) -> bool:
    """Tell whether the value is a number; truth values are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(node: ast.expr, value: Any) -> Any:
    """Return a number that JSON can hold."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotPlainError(node, "infinity is no JSON number", code="TM001", hint=None)
    elif abs(value) >= 10**MAX_DIGITS:
        what = f"a number of more than {MAX_DIGITS} digits"
        raise NotPlainError(node, what, code="TM001", hint=None)
    return value


def _compute(node: ast.BinOp, left: Any, right: Any) -> Any:
    """Return the result of simple arithmetic; powers and shifts grow too fast."""
    try:
        match node.op:
            case ast.Add():
                return _number(node, left + right)
            case ast.Sub():
                return _number(node, left - right)
            case ast.Mult():
                return _number(node, left * right)
            case ast.Div():
                return _number(node, left / right)
            case ast.FloorDiv():
                return _number(node, left // right)
    except ArithmeticError as error:
        raise NotPlainError(node, f"can't be computed: {error}") from error
    raise NotPlainError(node, "this arithmetic is not read; write the number out")
