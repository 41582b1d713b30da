"""Functions with what is known of their names: parameters, locals, constants and helpers.

What lives here: looking names up through functions, files and imports of one home.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

from tm.lint.code.bindings import bind, bind_loop
from tm.lint.code.home_code import MAX_DEPTH, HomeCode, imports_of
from tm.lint.code.roles import Function, RoleFunction, positional
from tm.lint.code.values import UNKNOWN, Known, Names, evaluate, union
from tm.lint.code.ways import own_nodes
from tm.lint.subjects import LintFile

AnyFunction: TypeAlias = Function | ast.Lambda
_PASSES: Final = 3
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NAMED = (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
_IMPORTS = (ast.ImportFrom, ast.Import)
_ELSEWHERE = (ast.Global, ast.Nonlocal)
_BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr, ast.For, ast.comprehension)


class Frame:
    """A function, lambda or nested function with what is known of its names."""

    def __init__(
        self,
        code: HomeCode,
        file: LintFile,
        node: AnyFunction,
        given: Mapping[str, Known],
        outer: Frame | None = None,
    ) -> None:
        self.code = code
        self.file = file
        self.node = node
        self.outer = outer
        self._given = given
        body = node.body if isinstance(node.body, list) else [node.body]
        self.nodes = list(own_nodes(ast.Module(body, [])))  # type: ignore[arg-type]  # a lambda's body
        self._binding = [n for n in self.nodes if isinstance(n, _BINDING)]
        self.functions = {n.name: n for n in self.nodes if isinstance(n, _FUNCTIONS)}
        self.local: Any = None  # its own uses of ctx, once they were looked for
        self._own = _bound_names(node, self.nodes)
        self._env: dict[str, Known] = dict(given)
        self.key = _key(node, given, outer)
        code.frames[self.key] = self
        self._busy = True  # its values are not known yet: a function may call itself
        self._fill()
        self._busy = False

    @property
    def has_given(self) -> bool:
        """Say whether anything is known of its parameters."""
        return bool(self._given)

    @property
    def has_path(self) -> bool:
        """Say whether one of its parameters is a part of ctx."""
        return any(known.path is not None for known in self._given.values())

    def _fill(self) -> None:
        """Find out what the locals are; a name may lean on one that is bound further down."""
        for _ in range(_PASSES):
            found: dict[str, list[Known]] = {}
            for name, known in self._bindings():
                found.setdefault(name, []).append(known)
            env = {**self._given, **{name: self._merged(name, v) for name, v in found.items()}}
            if env == self._env:
                return
            self._env = env

    def _merged(self, name: str, values: list[Known]) -> Known:
        if name in self._given:
            values = [self._given[name], *values]
        known = union(values)
        paths = {value.path for value in values}
        path = None if () in paths and len(paths) > 1 else known.path
        is_open = name in self._grown or (len(values) > 1 and self._is_open(name))
        return Known(path, () if is_open else known.texts)

    def _is_open(self, name: str) -> bool:
        """Say whether a name is also given a value that comes from elsewhere.

        What is written for it then may be no more than what it begins with.
        """
        values = [v for v in self._assigned.get(name, ()) if not isinstance(v, ast.Constant)]
        return any(evaluate(value, self) == UNKNOWN for value in values)

    @cached_property
    def _grown(self) -> set[str]:
        """Return the names whose value is made from their own: a text grows in them."""
        grown: set[str] = set()
        for node in self._binding:
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                grown.add(node.target.id)
            elif isinstance(node, ast.Assign):
                used = {inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name)}
                grown |= {t.id for t in node.targets if isinstance(t, ast.Name) and t.id in used}
        return grown

    def _bindings(self) -> Iterator[tuple[str, Known]]:
        for node in self._binding:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    yield from bind(target, [(self, node.value)])
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                yield from bind(node.target, [(self, node.value)])
            elif isinstance(node, ast.For | ast.comprehension):
                yield from bind_loop(node.target, node.iter, self)

    # -- Names ----------------------------------------------------------------

    def known(self, name: str) -> Known:
        """Return what a name stands for."""
        if name in self._own:
            return self._env.get(name, UNKNOWN)
        if self.outer is not None:
            return self.outer.known(name)
        return _ModuleNames(self.code, self.file).known(name)

    def table(self, name: str) -> tuple[LintFile, ast.expr] | None:
        """Return the only literal that is assigned to a name, and its file."""
        if name in self._own:
            values = self._assigned.get(name, [])
            return (self.file, values[0]) if len(values) == 1 else None
        if self.outer is not None:
            return self.outer.table(name)
        return self.code.constant(self.file, name)

    @cached_property
    def _assigned(self) -> dict[str, list[ast.expr]]:
        found: dict[str, list[ast.expr]] = {}
        for node in self._binding:
            if not isinstance(node, ast.Assign):
                continue
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
        return found

    def returned(self, call: ast.Call) -> Known:
        """Return what a call of a function of this home gives back."""
        if self.code.depth >= MAX_DEPTH:
            return UNKNOWN
        self.code.depth += 1
        try:
            frame = self.called(call)
            return UNKNOWN if frame is None or frame._busy else frame._once()
        finally:
            self.code.depth -= 1

    def _once(self) -> Known:
        self._busy = True
        try:
            return self.result
        finally:
            self._busy = False

    @cached_property
    def result(self) -> Known:
        """Return what it gives back."""
        returns = [node for node in self.nodes if isinstance(node, ast.Return) and node.value]
        return union(evaluate(node.value, self) for node in returns if node.value)

    # -- calls ----------------------------------------------------------------

    def called(self, call: ast.Call) -> Frame | None:
        """Return the frame of a function of this home that a call runs; None for others."""
        found = self._find(call.func.id) if isinstance(call.func, ast.Name) else None
        if found is None:
            return None
        file, node, outer = found
        return frame_of(self.code, file, node, self._arguments(call, node, file), outer)

    def _find(self, name: str) -> tuple[LintFile, Function, Frame | None] | None:
        frame: Frame | None = self
        while frame is not None:
            if name in frame.functions:
                return frame.file, frame.functions[name], frame
            if name in frame._own:
                return frame._locally_imported(name)
            frame = frame.outer
        found = self.code.function(self.file, name)
        return (*found, None) if found else None

    def _locally_imported(self, name: str) -> tuple[LintFile, Function, Frame | None] | None:
        for node in self.nodes:
            if not isinstance(node, ast.ImportFrom):
                continue
            for bound, (path, member) in imports_of(node, self.file.path):
                file = self.code.file_of(path, self.file.home) if bound == name else None
                found = self.code.function(file, member) if file else None
                if found:
                    return (*found, None)
        return None

    def _arguments(self, call: ast.Call, node: Function, file: LintFile) -> dict[str, Known]:
        """Return what is known of the parameters of a called function."""
        names = positional(node)
        given = _defaults(node, _ModuleNames(self.code, file))
        for name, value in zip(names, call.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            given[name] = evaluate(value, self)
        for keyword in call.keywords:
            if keyword.arg is not None:
                given[keyword.arg] = evaluate(keyword.value, self)
        return {name: known for name, known in given.items() if known != UNKNOWN}

    def inner(self, node: AnyFunction) -> Frame:
        """Return the frame of a nested function or lambda whose parameters are not known."""
        return frame_of(self.code, self.file, node, _defaults(node, self), self)


def _key(node: AnyFunction, given: Mapping[str, Known], outer: Frame | None) -> tuple[object, ...]:
    """Return what tells a frame from others of the same function."""
    return id(node), id(outer), tuple((name, given[name].key) for name in sorted(given))


def frame_of(
    code: HomeCode,
    file: LintFile,
    node: AnyFunction,
    given: Mapping[str, Known],
    outer: Frame | None = None,
) -> Frame:
    """Return the frame of a function with these parameters, the same one for all who ask."""
    found = code.frames.get(_key(node, given, outer))
    return found if isinstance(found, Frame) else Frame(code, file, node, given, outer)


def _defaults(node: AnyFunction, names: Names) -> dict[str, Known]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args]
    pairs = list(zip(reversed(every), reversed(arguments.defaults), strict=False))
    found = {argument.arg: evaluate(value, names) for argument, value in pairs}
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            found[argument.arg] = evaluate(default, names)
    return {name: known for name, known in found.items() if known != UNKNOWN}


class _ModuleNames:
    """The names that a module's own statements see."""

    def __init__(self, code: HomeCode, file: LintFile) -> None:
        self.file = file
        self._code = code

    def known(self, name: str) -> Known:
        found = self._code.constant(self.file, name)
        if found is None or isinstance(found[1], ast.Name):
            return UNKNOWN
        key = id(found[1])
        if key not in self._code.constants:
            self._code.constants[key] = UNKNOWN  # while it is read: it may name itself
            inner = _ModuleNames(self._code, found[0])
            self._code.constants[key] = evaluate(found[1], inner)
        known: Known = self._code.constants[key]
        return known

    def table(self, name: str) -> tuple[LintFile, ast.expr] | None:
        return self._code.constant(self.file, name)

    def returned(self, call: ast.Call) -> Known:  # noqa: ARG002  a module's constants call nothing
        return UNKNOWN


def _bound_names(node: AnyFunction, nodes: list[ast.AST]) -> set[str]:
    """Return the names that are a function's own: parameters and everything it binds."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    own = {argument.arg for argument in every}
    for inner in nodes:
        if isinstance(inner, ast.Name):
            if isinstance(inner.ctx, ast.Store):
                own.add(inner.id)
        elif isinstance(inner, _IMPORTS):
            own |= {alias.asname or alias.name for alias in inner.names}
        elif isinstance(inner, _NAMED) and inner.name:
            own.add(inner.name)
        elif isinstance(inner, _ELSEWHERE):
            own -= set(inner.names)
    return own


def role_frame(code: HomeCode, function: RoleFunction) -> Frame:
    """Return the frame of a tool's function, its ctx known."""
    given = {function.ctx: Known(())} if function.ctx else {}
    return frame_of(code, function.file, function.node, given)
