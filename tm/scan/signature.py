"""Whether a function can be called the way its role is called (TM201).

What lives here: the calling conventions of SPEC, section 4. What must not: looking into bodies.
"""

from __future__ import annotations

import ast
from typing import Literal

from tm.scan.hits import HELP, SIGNATURE, Hit

Role = Literal["preprocess", "postprocess", "handler"]

PARAMETERS: dict[Role, tuple[str, ...]] = {
    "preprocess": ("args", "ctx"),
    "postprocess": ("result", "args", "ctx"),
    "handler": ("results", "args", "ctx"),
}
ASYNC_REASON = "is `async def`, but tools run one step after the other and nothing awaits it"


def check_signature(fn: ast.FunctionDef | ast.AsyncFunctionDef, role: Role) -> Hit | None:
    """Return the hit (TM201) of a function that its role can't call, or None.

    Names are free; the number of positional parameters counts. Further parameters with a
    default, `*args` and `**options` are fine.
    """
    if isinstance(fn, ast.AsyncFunctionDef):
        return signature_hit(fn, f"'{fn.name}' {ASYNC_REASON}", HELP[SIGNATURE])
    wanted = PARAMETERS[role]
    if _accepts(fn.args, len(wanted)):
        return None
    shape = f"{fn.name}({', '.join(wanted)})"
    return signature_hit(
        fn,
        f"'{fn.name}' can't be called as {role}: it gets {len(wanted)} arguments "
        f"({', '.join(wanted)})",
        f"write `def {shape}:`",
    )


def signature_hit(fn: ast.FunctionDef | ast.AsyncFunctionDef, message: str, help_: str) -> Hit:
    """Return a TM201 hit that spans the function's first line."""
    col = fn.col_offset + 1
    return Hit(SIGNATURE, message, help_, fn.lineno, col, fn.lineno, col + len(fn.name) + 4)


def _accepts(arguments: ast.arguments, count: int) -> bool:
    positional = len(arguments.posonlyargs) + len(arguments.args)
    required = positional - len(arguments.defaults)
    if any(default is None for default in arguments.kw_defaults):
        return False  # a keyword that must be given is never given
    fits = positional >= count or arguments.vararg is not None
    return required <= count and fits
