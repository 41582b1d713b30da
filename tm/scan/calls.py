"""What the file's own calls hand over and give back.

What lives here: from a call to the function of this file that it means. What must not: judging
the values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tm.scan.facts import Binding, Facts, Kind, Scope
from tm.scan.owners import maker, own_class

Value = tuple[ast.expr, Scope]
_Def = ast.FunctionDef | ast.Lambda
_Given = tuple[list[ast.expr], dict[str, ast.expr]]


def passed(facts: Facts, parameter: Binding) -> list[Value]:
    """Return what the file's own calls hand to a parameter, with the scope of each call."""
    if not facts.calls_are_noted:
        facts.calls_are_noted = True
        for use in facts.of(ast.Call):
            func, given = _called(facts, use.node, use.scope)
            for function, offset in _meant(facts, func, use.scope):
                if not facts.spend():
                    break
                _pass(facts, function, offset, given, use.scope)
    return facts.passed.get(id(parameter), [])


def returned(facts: Facts, call: ast.Call, scope: Scope, seen: set[int]) -> Iterator[Value]:
    """Return what a call of a function of this file can give back, each function once."""
    for function, _ in _meant(facts, call.func, scope):
        if not facts.spend():
            return
        if id(function) in seen:
            continue
        seen.add(id(function))
        for value in _results(facts, function):
            yield value, facts.function_scopes[function]


def _results(facts: Facts, function: _Def) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    if function not in facts.results:
        returns = (part for part in ast.walk(function) if isinstance(part, ast.Return))
        facts.results[function] = [part.value for part in returns if part.value is not None]
    return facts.results[function]


# Longer chains of aliases than anyone writes are not followed.
_MAX_ALIASES = 5


def _meant(
    facts: Facts, func: ast.expr, scope: Scope, hops: int = _MAX_ALIASES
) -> Iterator[tuple[_Def, int]]:
    """Return the functions that a call may mean, and how many parameters come before its own."""
    if isinstance(func, ast.Lambda):
        yield func, 0
    elif isinstance(func, ast.Name):
        for binding in facts.bindings(func.id, scope):
            if isinstance(binding.node, ast.FunctionDef):
                yield binding.node, 0
            elif isinstance(binding.value, ast.Lambda):
                yield binding.value, 0
            elif isinstance(binding.value, ast.Name) and hops:
                yield from _meant(facts, binding.value, scope, hops - 1)
            elif isinstance(binding.node, ast.ClassDef):
                yield from _methods(facts, binding.node, "__init__", 1)
    elif isinstance(func, ast.Attribute):
        owner = own_class(facts, func.value, scope)
        by_name = owner is not None and getattr(func.value, "id", "") not in {"self", "cls"}
        found = owner or maker(facts, func.value, scope)
        if found is not None:
            yield from _methods(facts, found, func.attr, 0 if by_name else 1)


def _methods(
    facts: Facts, owner: ast.AST, name: str, offset: int
) -> Iterator[tuple[ast.FunctionDef, int]]:
    for binding in facts.class_scopes[owner].names.get(name, []):
        method = binding.node
        if isinstance(method, ast.FunctionDef):
            kinds = {getattr(decorator, "id", "") for decorator in method.decorator_list}
            yield method, 0 if "staticmethod" in kinds else 1 if "classmethod" in kinds else offset


def _called(facts: Facts, call: ast.Call, scope: Scope) -> tuple[ast.expr, _Given]:
    """Return what a call calls in the end, and with what: `map(f, values)` calls `f`."""
    given = call.args, {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    if len(call.args) < 2 or not isinstance(call.func, ast.Name):
        return call.func, given
    first, *others = call.args
    known = call.func.id in facts.imported_names
    imported = facts.imported(call.func, scope) if known else None
    if imported == ("functools", "partial"):
        return first, (others, given[1])
    if imported == ("functools", "reduce"):
        return first, ([*others[1:], _element(others[0])], {})
    if call.func.id in {"map", "filter"} and facts.is_builtin(call.func, scope, call.func.id):
        return first, ([_element(values) for values in others], {})
    return call.func, given


def _element(values: ast.expr) -> ast.expr:
    return ast.Subscript(values, ast.Constant(0), ast.Load())


def _pass(facts: Facts, function: _Def, offset: int, given: _Given, scope: Scope) -> None:
    """Note what each parameter gets; `*values` gets a list, `**options` a mapping."""
    inside = facts.function_scopes[function]
    takes, (values, options) = function.args, given
    names = [argument.arg for argument in (*takes.posonlyargs, *takes.args)][offset:]
    pairs = [*zip(names, values, strict=False), *options.items()]
    if takes.vararg is not None:
        pairs.append((takes.vararg.arg, ast.List(values[len(names) :], ast.Load())))
    if takes.kwarg is not None:
        pairs.append((takes.kwarg.arg, ast.Dict([], list(options.values()))))
    for name, value in pairs:
        for binding in inside.names.get(name, []):
            if binding.kind is Kind.PARAMETER:
                facts.passed.setdefault(id(binding), []).append((value, scope))
