"""Which parameters get ctx, whatever they are called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tm.scan.facts import AnyUse, Facts, Kind
from tm.scan.signature import PARAMETERS

_NAMES = frozenset({"ctx", "context", "cx", "c"})


def ctx_parameters(facts: Facts) -> set[int]:
    """Return the bindings, by id, of the parameters that get ctx by their role or annotation."""
    if facts.ctx_parameters is None:
        facts.ctx_parameters = found = set[int]()
        for function, name in (*_registered(facts), *_by_shape(facts)):
            names = facts.function_scopes[function].names
            found.update(id(b) for b in names[name] if b.kind is Kind.PARAMETER)
    return facts.ctx_parameters


def _registered(facts: Facts) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Yield the last parameter of each function that `tools` names as handler and the like."""
    for use in facts.of(ast.Dict):
        for key, value in zip(use.node.keys, use.node.values, strict=True):
            role = getattr(key, "value", None)
            if role not in PARAMETERS or not isinstance(value, ast.Name):
                continue
            if not _is_in_tools(use, facts):
                continue
            for binding in facts.bindings(value.id, use.scope):
                if isinstance(binding.node, ast.FunctionDef):
                    yield from _last(binding.node, len(PARAMETERS[role]))


def _last(function: ast.FunctionDef, count: int) -> Iterator[tuple[ast.FunctionDef, str]]:
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    if len(names) >= count:
        yield function, names[count - 1]


def _is_in_tools(use: AnyUse, facts: Facts) -> bool:
    node: ast.AST | None = use.node
    while node is not None and not isinstance(node, ast.stmt):
        node = facts.parents.get(node)
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return any(getattr(target, "id", "") == "tools" for target in targets)


def _by_shape(facts: Facts) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Yield parameters annotated as Ctx, and the last of `def f(results, args, context)`."""
    for use in facts.of(ast.FunctionDef):
        given = [*use.node.args.posonlyargs, *use.node.args.args]
        for argument in given:
            if _is_ctx_type(argument.annotation, use, facts):
                yield use.node, argument.arg
        names = tuple(argument.arg for argument in given)
        usual = names[:-1] in {("results", "args"), ("result", "args"), ("args",)}
        if usual and use.scope is facts.module and names[-1].strip("_") in _NAMES:
            yield use.node, names[-1]


def _is_ctx_type(annotation: ast.expr | None, use: AnyUse, facts: Facts) -> bool:
    if isinstance(annotation, ast.Constant):
        return annotation.value == "Ctx"
    return annotation is not None and facts.imported(annotation, use.scope) == ("tm", "Ctx")
