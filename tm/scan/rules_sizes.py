"""Constants that never get done, or fill the memory, while a file is loaded (point 4).

C code computes them in one go, so no time limit inside the process could stop it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from tm.scan.facts import Facts, Scope
from tm.scan.hits import AT_IMPORT
from tm.scan.modules import words
from tm.scan.report import Report

MAX_DIGITS = 10_000
MAX_ITEMS = 10_000_000
_HELP = "write the constant smaller, or compute it inside a function"
_CONSUMERS = words("""
    list tuple set frozenset dict sum sorted max min any all len bytes bytearray deque Counter prod
    fsum mean reduce array OrderedDict join""")
_LAZY = words("enumerate filter filterfalse starmap accumulate chain iter")
_LAZY_TOGETHER = frozenset({"map", "zip"})
_COMPUTE = frozenset({ast.BinOp, ast.Call, ast.ListComp, ast.SetComp, ast.DictComp})
_COMPUTE_NOTHING = frozenset({ast.Constant, ast.Name, ast.Load, ast.Store})
_DISPLAYS = ast.ListComp | ast.SetComp | ast.DictComp
_HOPS = 5


def check_sizes(tree: ast.Module, facts: Facts, report: Report) -> None:
    """Find huge powers, products and ranges, and iterators without an end, outside functions."""
    sizes = _Sizes(facts)
    for node in _at_import(tree):
        what = sizes.problem(node)
        if what:
            report.add(AT_IMPORT, node, f"{what} while the file is loaded", _HELP)


def _at_import(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what may compute and runs with the module, so nothing in bodies of functions."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if type(node) in _COMPUTE:
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += [
                *node.decorator_list,
                *node.args.defaults,
                *filter(None, node.args.kw_defaults),
            ]
        elif not isinstance(node, ast.Lambda):
            waiting += _inside(node)


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that a node holds, but constants and names, which compute nothing."""
    for name in node._fields:
        value = getattr(node, name, None)
        for inner in value if type(value) is list else (value,):
            if isinstance(inner, ast.AST) and type(inner) not in _COMPUTE_NOTHING:
                yield inner


class _Sizes:
    """What constants come to, as far as the file writes them out."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._numbers: dict[tuple[int, int], int | None] = {}

    @property
    def _scope(self) -> Scope:
        return self._facts.module

    def problem(self, node: ast.AST) -> str:
        """Return what is wrong with a node, as the begin of a sentence, or nothing."""
        if isinstance(node, ast.BinOp):
            return self._of_operation(node)
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, _DISPLAYS):
            return self._of_values(node.generators[0].iter)
        return ""

    def _of_operation(self, node: ast.BinOp) -> str:
        left, right = self._number(node.left), self._number(node.right)
        if isinstance(node.op, ast.Mult):
            text, times = (node.left, right) if right is not None else (node.right, left)
            long = times is not None and times * _length(text) > MAX_ITEMS
            return "this makes too many items" if long else ""
        huge = left is not None and right is not None and _is_huge(node.op, left, right)
        return "this computes a number of too many digits" if huge else ""

    def _of_call(self, node: ast.Call) -> str:
        name = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
        numbers = [self._number(value) for value in node.args]
        if name == "pow" and len(numbers) == 2 and None not in numbers:
            base, power = (number or 0 for number in numbers)
            return (
                "this computes a number of too many digits"
                if _is_huge(ast.Pow(), base, power)
                else ""
            )
        if name == "factorial" and numbers and (numbers[0] or 0) > MAX_DIGITS:
            return "this computes a number of too many digits"
        if name in {"bytes", "bytearray"} and numbers and (numbers[0] or 0) > MAX_ITEMS:
            return "this makes too many items"
        if name not in _CONSUMERS:
            return ""
        return next(filter(None, map(self._of_values, node.args)), "")

    def _of_values(self, node: ast.expr) -> str:
        if self._is_endless(node, _HOPS):
            return "this goes through values without an end"
        return "this goes through too many values" if self._is_long(node, _HOPS) else ""

    def _is_endless(self, node: ast.expr, hops: int) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return self._is_endless(node.generators[0].iter, hops)
        if isinstance(node, ast.Name):
            return any(self._is_endless(value, hops - 1) for value in self._bound(node, hops))
        if not isinstance(node, ast.Call):
            return False
        name = self._called(node)
        if name in _LAZY_TOGETHER:
            values = node.args[1:] if name == "map" else node.args
            return bool(values) and all(self._is_endless(value, hops) for value in values)
        if name in _LAZY:
            two = name == "iter" and len(node.args) == 2
            return two or any(self._is_endless(value, hops) for value in node.args)
        return name in {"count", "cycle"} or (name == "repeat" and len(node.args) == 1)

    def _is_long(self, node: ast.expr, hops: int) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return self._is_long(node.generators[0].iter, hops)
        if isinstance(node, ast.Name):
            return any(self._is_long(value, hops - 1) for value in self._bound(node, hops))
        if not isinstance(node, ast.Call):
            return False
        name, numbers = self._called(node), [self._number(value) for value in node.args]
        if name == "range" and numbers and None not in numbers:
            return _count(*(number or 0 for number in numbers[:3])) > MAX_ITEMS
        if name == "repeat" and len(numbers) == 2:
            return (numbers[1] or 0) > MAX_ITEMS
        return name in _LAZY | _LAZY_TOGETHER and any(self._is_long(v, hops) for v in node.args)

    def _called(self, node: ast.Call) -> str:
        """Return the name of the builtin or of the member of `itertools` that is called."""
        imported = self._facts.imported(node.func, self._scope)
        if imported is not None:
            return imported[1] if imported[0] == "itertools" else ""
        is_name = isinstance(node.func, ast.Name)
        if not is_name or self._facts.bindings(getattr(node.func, "id", ""), self._scope):
            return ""
        return str(getattr(node.func, "id", ""))

    def _bound(self, node: ast.Name, hops: int) -> list[ast.expr]:
        bindings = self._facts.bindings(node.id, self._scope) if hops else []
        return [binding.value for binding in bindings if binding.value is not None]

    def _once(self, node: ast.expr, hops: int) -> int | None:
        """Return a constant's number, found out once: sums of sums would be asked without end."""
        key = (id(node), hops)
        if key not in self._numbers:
            self._numbers[key] = self._number(node, hops)
        return self._numbers[key]

    def _number(self, node: ast.expr, hops: int = _HOPS) -> int | None:
        """Return the integer that an expression of constants is; None for anything else."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Name):
            bound = self._bound(node, hops)
            return self._once(bound[0], hops - 1) if len(bound) == 1 else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._number(node.operand, hops)
            return None if value is None else -value
        if not isinstance(node, ast.BinOp):
            return None
        left, right = self._number(node.left, hops), self._number(node.right, hops)
        return None if left is None or right is None else _computed(node.op, left, right)


def _length(node: ast.expr) -> int:
    if isinstance(node, ast.Constant):
        return len(node.value) if isinstance(node.value, str | bytes) else 0
    return len(node.elts) if isinstance(node, ast.List | ast.Tuple) else 0


def _is_huge(op: ast.operator, left: int, right: int) -> bool:
    if isinstance(op, ast.LShift):
        return right > MAX_DIGITS * 4 and left != 0
    base = abs(left)
    return isinstance(op, ast.Pow) and base > 1 and right * math.log10(base) > MAX_DIGITS


def _computed(op: ast.operator, left: int, right: int) -> int | None:
    if isinstance(op, ast.Add):
        return left + right
    if isinstance(op, ast.Sub):
        return left - right
    if isinstance(op, ast.Mult):
        return left * right if max(left.bit_length(), right.bit_length()) < MAX_DIGITS else None
    if right < 0 or _is_huge(op, left, right):
        return None
    if isinstance(op, ast.Pow):
        return int(left**right)
    return left << right if isinstance(op, ast.LShift) else None


def _count(first: int, last: int | None = None, step: int = 1) -> int:
    low, high = (0, first) if last is None else (first, last)
    return abs(high - low) // max(abs(step), 1)
