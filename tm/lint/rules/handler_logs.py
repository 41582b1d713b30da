"""TM202: a handler without a log line at its start or at its end.

On every way to a result there is a log line before the work (a call of a tool or an API, or a
loop) and one behind the last of those calls. A branch that only says why it does nothing and
returns needs just that one. Ways that end in an exception need none here: the run's own log
tells the error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tm.errors import Location
from tm.lint.code.frames import role_frame
from tm.lint.code.home_code import HomeCode, code_of
from tm.lint.code.log_ways import Out, log_ways
from tm.lint.code.places import place
from tm.lint.code.plain import plain_of
from tm.lint.code.roles import RoleFunction, role_functions
from tm.lint.code.ways import is_generator
from tm.lint.rule import Hit, Rule, Subject


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit at the `def` of each handler that is silent at its start or its end."""
    code = code_of(subject.home)
    for function in role_functions(subject.home):
        if function.role != "handler" or function.ctx is None or _is_wrapped(code, function):
            continue
        if plain_of(code, function.node, function.ctx).logs:
            continue
        why = _why(function, log_ways(role_frame(code, function)))
        if why is not None:
            yield _hit(function, why)


def _hit(function: RoleFunction, why: str) -> Hit:
    at: Location = place(function.file, function.node)
    name = function.node.name
    return Hit(
        at,
        f"handler '{name}' {why}",
        f'log with {function.ctx}["logger"].info(...) at the start and .success(...) '
        "(.error where it fails) at the end",
        (at.line or 1, (at.col or 1) + 4 + len(name)),
        function.tool,
    )


def _is_wrapped(code: HomeCode, function: RoleFunction) -> bool:
    """Return whether a decorator of this home may log for it, or it is a generator."""
    names = [getattr(decorator, "id", "") for decorator in function.node.decorator_list]
    wrapped = any(code.function(function.file, name) for name in names)
    return wrapped or is_generator(function.node, function.file.data)


def _why(function: RoleFunction, outs: set[Out]) -> str | None:
    """Return what is missing; None where every way has its log lines."""
    if all(out.logged.count == 0 and not out.logged.opaque for out in outs):
        return "logs nothing"
    ends = sorted(
        (out for out in outs if out.end in {"next", "return"}),
        key=lambda out: getattr(out.node, "lineno", 1),
    )
    for out in ends:
        why = _missing(function, out)
        if why is not None:
            return why
    return None


def _missing(function: RoleFunction, out: Out) -> str | None:
    logged = out.logged
    if logged.opaque or (logged.count == 2 and not logged.late and not logged.since):
        return None
    where = _end(out)
    if logged.count == 0:
        return f"has a way {where} without any log line"
    if logged.late:
        return "does its work before its first log line"
    # Only said why it does nothing, in a branch of its own.
    is_guard = out.end == "return" and out.block == logged.block != id(function.node.body)
    if not logged.since and is_guard:
        return None
    return f"has a way {where} with no log line at its end"


def _end(out: Out) -> str:
    if isinstance(out.node, ast.Return):
        return f"to the `return` of line {out.node.lineno}"
    return "through its end"


RULE = Rule("TM202", "home", check)
