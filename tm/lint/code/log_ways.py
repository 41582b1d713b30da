"""Where a handler logs: every way through it with its log lines and its work.

Work is a call of a tool or an API; before the first log line, a loop is work too. What must not
live here: the verdict.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from tm.lint.code.frames import Frame
from tm.lint.code.values import COPY, CTX_KEYS, Path, evaluate
from tm.lint.code.ways import note_calls, takes_all, truth
from tm.records import record, replace

End: TypeAlias = Literal["next", "return", "raise", "break", "continue"]
_LEVELS: Final = frozenset({".debug", ".info", ".success", ".warning", ".error", ".?"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_MAX_DEPTH: Final = 6
_ROUNDS: Final = 3


@record
class Logged:
    """What was logged on a way up to some point.

    Attributes:
        count: log lines, 2 standing for more.
        late: work was done before the first one.
        since: work was done after the last one.
        block: the block of statements that the last one stands in, by id.
        opaque: ctx or the logger went where it can't be followed.
    """

    count: int = 0
    late: bool = False
    since: bool = False
    block: int = 0
    opaque: bool = False


@record
class Out:
    """An end of a block.

    Attributes:
        block: the block whose statement it is, by id.
        node: that statement; the block's owner where it falls through.
    """

    end: End
    logged: Logged
    block: int
    node: ast.AST


def log_ways(frame: Frame) -> set[Out]:
    """Return the ends of a function, each with what was logged on the way."""
    return _Follower(frame, ()).function({Logged()})


class _Follower:
    """Follows the ways through one function."""

    def __init__(self, frame: Frame, stack: tuple[object, ...]) -> None:
        self._frame = frame
        self._stack = (*stack, frame.key)
        self._risky: list[set[Logged]] = []
        self._block = 0
        self._known_calls: dict[ast.AST, list[ast.Call]] = {}

    def function(self, states: set[Logged]) -> set[Out]:
        node = self._frame.node
        if isinstance(node, ast.Lambda):
            after = self._events(node.body, states)
            return {Out("return", logged, 0, node) for logged in after}
        return self._body(node.body, states, node)

    def _body(self, body: list[ast.stmt], states: set[Logged], owner: ast.AST) -> set[Out]:
        kept, self._block = self._block, id(body)
        found: set[Out] = set()
        for statement in body:
            outs = self._statement(statement, states)
            found |= {out for out in outs if out.end != "next"}
            states = {out.logged for out in outs if out.end == "next"}
        self._block = kept
        return found | {Out("next", logged, id(body), owner) for logged in states}

    def _statement(self, node: ast.stmt, states: set[Logged]) -> set[Out]:
        if not states or isinstance(node, _SCOPES):
            return self._outs("next", states, node)
        follow = _STATEMENTS.get(type(node))
        if follow is not None:
            return follow(self, node, states)
        return self._outs("next", self._events(node, states), node)

    def _outs(self, end: End, states: Iterable[Logged], node: ast.AST) -> set[Out]:
        return {Out(end, logged, self._block, node) for logged in states}

    def _return(self, node: ast.Return, states: set[Logged]) -> set[Out]:
        return self._outs("return", self._events(node, states), node)

    def _raise(self, node: ast.Raise, states: set[Logged]) -> set[Out]:
        return self._outs("raise", self._events(node, states), node)

    def _break(self, node: ast.Break, states: set[Logged]) -> set[Out]:
        return self._outs("break", states, node)

    def _continue(self, node: ast.Continue, states: set[Logged]) -> set[Out]:
        return self._outs("continue", states, node)

    def _if(self, node: ast.If, states: set[Logged]) -> set[Out]:
        states, known = self._events(node.test, states), truth(node.test)
        found: set[Out] = set()
        if known is not False:
            found |= self._body(node.body, states, node)
        if known is not True:
            found |= self._body(node.orelse, states, node)
        return found

    def _loop(self, node: ast.For | ast.While, states: set[Logged]) -> set[Out]:
        head = node.iter if isinstance(node, ast.For) else node.test
        # A loop before the first line is work; one after the last may just put a result together.
        states = {_worked(logged, since=False) for logged in self._events(head, states)}
        endless = isinstance(node, ast.While) and truth(node.test) is True
        found: set[Out] = set()
        reached: set[Logged] = set(states)
        for _ in range(_ROUNDS):
            outs = self._body(node.body, reached, node)
            found |= outs
            known, reached = (
                reached,
                reached | {o.logged for o in outs if o.end in {"next", "continue"}},
            )
            if reached == known:
                break  # another round finds the same
        left = {out for out in found if out.end in {"return", "raise"}}
        left |= self._outs("next", {out.logged for out in found if out.end == "break"}, node)
        return left if endless else left | self._body(node.orelse, reached, node)

    def _with(self, node: ast.With, states: set[Logged]) -> set[Out]:
        for item in node.items:
            states = self._events(item.context_expr, states)
        return self._body(node.body, states, node)

    def _match(self, node: ast.Match, states: set[Logged]) -> set[Out]:
        states = self._events(node.subject, states)
        found: set[Out] = set()
        for case in node.cases:
            found |= self._body(case.body, states, node)
        if any(takes_all(case) for case in node.cases):
            return found
        return found | self._outs("next", states, node)

    def _try(self, node: ast.Try, states: set[Logged]) -> set[Out]:
        self._risky.append(set())
        found = self._body(node.body, states, node)
        risky = self._risky.pop() | {out.logged for out in found if out.end == "raise"}
        if node.handlers:
            found = {out for out in found if out.end != "raise"}
        nexts = {out.logged for out in found if out.end == "next"}
        found = {out for out in found if out.end != "next"} | self._body(node.orelse, nexts, node)
        for handler in node.handlers:
            found |= self._body(handler.body, risky, handler)
        if self._risky:
            self._risky[-1] |= risky
        return self._finally(node, found) if node.finalbody else found

    def _finally(self, node: ast.Try, outs: set[Out]) -> set[Out]:
        found: set[Out] = set()
        for out in outs:
            for last in self._body(node.finalbody, {out.logged}, node):
                found.add(replace(out, logged=last.logged) if last.end == "next" else last)
        return found

    # -- expressions ----------------------------------------------------------

    def _events(self, node: ast.AST, states: set[Logged]) -> set[Logged]:
        """Return what was logged after an expression or a plain statement."""
        calls = self._calls(node)
        if not calls:
            self._risk(states)
            return states
        if not _only_logs(calls, node, self._frame):
            self._risk(states)
        is_return = isinstance(node, ast.Return)
        for call in calls:
            is_last = is_return and call is getattr(node, "value", None)
            states = self._call(call, states, tail=is_last)
        return states

    def _calls(self, node: ast.AST) -> list[ast.Call]:
        """Return the calls of a node; a loop's body asks for them several times."""
        if node not in self._known_calls:
            self._known_calls[node] = []
            note_calls(node, self._known_calls[node])
        return self._known_calls[node]

    def _risk(self, states: set[Logged]) -> None:
        if self._risky:
            self._risky[-1] |= states

    def _call(self, call: ast.Call, states: set[Logged], *, tail: bool) -> set[Logged]:
        path = evaluate(call.func, self._frame).path
        if path is not None and _is_log(path):
            return {self._noted(logged) for logged in states}
        if path is not None and _is_work(path):
            # What a handler hands on as it is, it need not speak of again.
            after = {_worked(s, since=not tail) for s in states}
            self._risk(after)
            return after
        called = self._frame.called(call)
        if called is not None and (called.outer is not None or called.has_path):
            return self._inline(called, states)
        if any(_is_ours(arg, self._frame) for arg in _arguments(call)):
            return {replace(logged, opaque=True) for logged in states}
        return states

    def _noted(self, logged: Logged) -> Logged:
        count = min(logged.count + 1, 2)
        return replace(logged, count=count, since=False, block=self._block)

    def _inline(self, called: Frame, states: set[Logged]) -> set[Logged]:
        """Return what was logged after a helper: its ways are part of the caller's."""
        if called.key in self._stack or len(self._stack) > _MAX_DEPTH:
            return states
        memo = self._frame.code.log_ways
        key = (called.key, frozenset(states))
        if key not in memo:
            memo[key] = _Follower(called, self._stack).function(states)
        outs: set[Out] = memo[key]
        self._risk({out.logged for out in outs})
        after = {out.logged for out in outs if out.end in {"next", "return"}}
        return {replace(logged, block=self._block) for logged in after}


def _worked(logged: Logged, *, since: bool = True) -> Logged:
    return replace(logged, late=logged.late or logged.count == 0, since=logged.since or since)


def _only_logs(calls: list[ast.Call], node: ast.AST, frame: Frame) -> bool:
    """Return whether a statement is a log line whose arguments call nothing."""
    if not isinstance(node, ast.Expr) or len(calls) != 1:
        return False
    path = evaluate(calls[0].func, frame).path
    return path is not None and _is_log(path)


def _is_log(path: Path) -> bool:
    """Return whether a path is a log method; one of a misspelt key counts, TM206 tells that."""
    is_logger = len(path) == 2 and (path[0] == "logger" or path[0] not in CTX_KEYS)
    return is_logger and path[1] in _LEVELS


def _is_work(path: Path) -> bool:
    return path == ("tool",) or (path[0:1] == ("http",) and len(path) > 1)


def _is_ours(node: ast.expr, frame: Frame) -> bool:
    """Return whether a value is ctx or the logger, with which another can log."""
    path = evaluate(node, frame).path
    return path is not None and (path in {(), COPY} or path[0] == "logger")


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        value = argument.value if isinstance(argument, ast.Starred) else argument
        yield value
        if isinstance(value, ast.Tuple | ast.List):
            yield from value.elts
        elif isinstance(value, ast.Dict):
            yield from value.values


_STATEMENTS: Final[Mapping[type[ast.stmt], Callable[[Any, Any, set[Logged]], set[Out]]]] = {
    ast.Return: _Follower._return,
    ast.Raise: _Follower._raise,
    ast.Break: _Follower._break,
    ast.Continue: _Follower._continue,
    ast.If: _Follower._if,
    ast.For: _Follower._loop,
    ast.While: _Follower._loop,
    ast.With: _Follower._with,
    ast.Match: _Follower._match,
    ast.Try: _Follower._try,
    ast.TryStar: _Follower._try,
}
