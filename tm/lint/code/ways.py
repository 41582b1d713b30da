"""Which ways lead out of a block of statements: the flow of control, without running it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, TypeAlias

from tm.records import record

Kind: TypeAlias = Literal["next", "value", "bare", "raise", "break", "continue"]
NeverReturns: TypeAlias = Callable[[ast.Call], bool]
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PLAIN_FIELDS: Final = frozenset({"ctx", "op", "ops", "id", "attr", "kind", "type_comment"})
_NODE_FIELDS: Final[dict[type[ast.AST], tuple[str, ...]]] = {ast.Constant: ()}


@record
class Way:
    """One kind of end that a block has, and the statement it comes from.

    Attributes:
        kind: `next` goes on behind the block, `value` and `bare` are returns.
    """

    kind: Kind
    node: ast.AST


class Ways:
    """Follows the ways through one function's statements."""

    def __init__(self, never_returns: NeverReturns) -> None:
        self._never_returns = never_returns

    def of(self, body: Iterable[ast.stmt], before: ast.AST) -> set[Way]:
        """Return the ways out of a block.

        Args:
            before: what stands for the block where it falls through without a statement.
        """
        last: ast.AST = before
        found: set[Way] = set()
        for statement in body:
            ways = self._statement(statement)
            found |= {way for way in ways if way.kind != "next"}
            nexts = [way for way in ways if way.kind == "next"]
            if not nexts:
                return found
            last = statement
        return found | {Way("next", last)}

    def _statement(self, node: ast.stmt) -> set[Way]:
        handler = _HANDLERS.get(type(node))
        return handler(self, node) if handler else {Way("next", node)}

    def _return(self, node: ast.Return) -> set[Way]:
        if isinstance(node.value, ast.Call) and self._never_returns(node.value):
            return {Way("raise", node)}
        return {Way("bare" if node.value is None else "value", node)}

    def _raise(self, node: ast.Raise) -> set[Way]:
        return {Way("raise", node)}

    def _break(self, node: ast.Break) -> set[Way]:
        return {Way("break", node)}

    def _continue(self, node: ast.Continue) -> set[Way]:
        return {Way("continue", node)}

    def _expression(self, node: ast.Expr) -> set[Way]:
        ends = isinstance(node.value, ast.Call) and self._never_returns(node.value)
        return {Way("raise" if ends else "next", node)}

    def _assert(self, node: ast.Assert) -> set[Way]:
        return {Way("raise" if truth(node.test) is False else "next", node)}

    def _if(self, node: ast.If) -> set[Way]:
        known = truth(node.test)
        if known is not None:
            return self.of(node.body if known else node.orelse, node)
        return self.of(node.body, node) | self.of(node.orelse, node)

    def _while(self, node: ast.While) -> set[Way]:
        if truth(node.test) is True:
            ways = self.of(node.body, node)
            return self._left(ways, node)
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> set[Way]:
        return self._left(self.of(node.body, node), node) | self.of(node.orelse, node)

    @staticmethod
    def _left(ways: set[Way], node: ast.AST) -> set[Way]:
        """Return the ways of a loop's body as the loop has them: `break` goes on behind it."""
        left = {way for way in ways if way.kind in {"value", "bare", "raise"}}
        return left | {Way("next", node) for way in ways if way.kind == "break"}

    def _with(self, node: ast.With) -> set[Way]:
        ways = self.of(node.body, node)
        if any(_may_swallow(item.context_expr) for item in node.items):
            ways = ways | {Way("next", node)}
        return ways

    def _try(self, node: ast.Try) -> set[Way]:
        ways = self.of(node.body, node)
        if any(way.kind == "next" for way in ways):
            ways = {way for way in ways if way.kind != "next"} | self.of(node.orelse, node)
        for handler in node.handlers:
            ways |= self.of(handler.body, handler)
        last = self.of(node.finalbody, node)
        if not any(way.kind == "next" for way in last):
            return last
        return ways | {way for way in last if way.kind != "next"}

    def _match(self, node: ast.Match) -> set[Way]:
        ways: set[Way] = set()
        for case in node.cases:
            ways |= self.of(case.body, case.pattern)
        return ways if any(takes_all(case) for case in node.cases) else ways | {Way("next", node)}


def truth(test: ast.expr) -> bool | None:
    """Return whether a test is always true or always false; None where it depends."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = truth(test.operand)
        return None if inner is None else not inner
    return None


def takes_all(case: ast.match_case) -> bool:
    """Return whether a case takes every value."""
    return case.guard is None and _irrefutable(case.pattern)


def _irrefutable(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or _irrefutable(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and any(map(_irrefutable, pattern.patterns))


def _may_swallow(context: ast.expr) -> bool:
    """Return whether a context manager goes on after an exception: `suppress(...)`."""
    named = context.func if isinstance(context, ast.Call) else context
    return getattr(named, "attr", getattr(named, "id", "")) == "suppress"


def own_nodes(node: ast.AST) -> Iterable[ast.AST]:
    """Yield the nodes of a function's own body, without inner functions and classes."""
    stack = list(getattr(node, "body", []))
    while stack:
        inner = stack.pop()
        yield inner
        if isinstance(inner, _SCOPES):
            continue
        for name in node_fields(inner):
            value = getattr(inner, name, None)
            if isinstance(value, list):
                stack += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                stack.append(value)


def node_fields(node: ast.AST) -> tuple[str, ...]:
    """Return the names of the fields in which other nodes may stand.

    What only says how a node is used (Load, Store, operators) is left out.
    """
    kind = type(node)
    found = _NODE_FIELDS.get(kind)
    if found is None:
        found = tuple(name for name in kind._fields if name not in _PLAIN_FIELDS)
        _NODE_FIELDS[kind] = found
    return found


def note_calls(node: ast.AST, found: list[ast.Call]) -> None:
    """Note the calls in the order in which they run, those in inner functions left out."""
    if isinstance(node, _SCOPES):
        return
    for name in node_fields(node):
        value = getattr(node, name, None)
        if isinstance(value, list):
            for item in value:
                if isinstance(item, ast.AST):
                    note_calls(item, found)
        elif isinstance(value, ast.AST):
            note_calls(value, found)
    if isinstance(node, ast.Call):
        found.append(node)


def is_generator(node: ast.AST, source: bytes) -> bool:
    """Return whether a function is a generator.

    Args:
        source: the file's bytes, which hold the keyword if any function in it is one.
    """
    return b"yield" in source and any(
        isinstance(inner, ast.Yield | ast.YieldFrom) for inner in own_nodes(node)
    )


_HANDLERS: Final[Mapping[type[ast.stmt], Callable[..., set[Way]]]] = {
    ast.Return: Ways._return,
    ast.Raise: Ways._raise,
    ast.Break: Ways._break,
    ast.Continue: Ways._continue,
    ast.Expr: Ways._expression,
    ast.Assert: Ways._assert,
    ast.If: Ways._if,
    ast.While: Ways._while,
    ast.For: Ways._loop,
    ast.With: Ways._with,
    ast.Try: Ways._try,
    ast.TryStar: Ways._try,
    ast.Match: Ways._match,
}
