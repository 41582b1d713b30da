"""What a scan gives back: hits, and the tree that the loader compiles.

What lives here: `Hit`, `Scan` and the advice for each rule code. What must not: rules.
"""

from __future__ import annotations

import ast

from tm.records import record

SYNTAX = "TM001"
ENCODING = "TM004"
SIGNATURE = "TM201"
WRITES = "TM301"
READS = "TM302"
PROCESS = "TM303"
INJECTS = "TM304"
NETWORK = "TM305"
IMPORT = "TM306"
INTERPRETER = "TM307"
AT_IMPORT = "TM308"

HELP = {
    SYNTAX: "mend the syntax; the file is not loaded until it parses",
    ENCODING: "save the file as UTF-8, without a coding line and without invisible characters",
    SIGNATURE: "write a plain `def`; tools run one step after the other",
    WRITES: 'write through the shared tools: ctx["tool"]("writeFile", '
    '{"path": ..., "content": ...})',
    READS: 'read through the shared tools: ctx["tool"]("readFile", {"path": ...}); '
    'settings are in ctx["config"]',
    PROCESS: 'raise ToolError to end a run; for work elsewhere call a tool with ctx["tool"] '
    'or an API with ctx["http"]',
    INJECTS: "write the logic as functions of this file, or choose one from a dict of functions",
    NETWORK: 'call APIs with ctx["http"], which knows the host, the credentials and the limits',
    IMPORT: "import one of the allowed standard modules, `from tm import Ctx, ToolError`, "
    "or a file of this tenant with `from .file import name`",
    INTERPRETER: "use plain data: args, results, ctx[...] and the attributes that belong to the "
    "value itself",
    AT_IMPORT: "move the code into a function; a module holds imports, def, class and constants",
}


@record
class Hit:
    """One place in a source file that a rule refuses.

    Attributes:
        code: `TMnnn`, explained by `tm explain`.
        message: what was found, in one sentence without a full stop.
        help: what to use instead.
        line: first line, from 1.
        col: first column, from 1, in characters.
        end_line: last line, from 1.
        end_col: column after the last character, from 1.
    """

    code: str
    message: str
    help: str
    line: int
    col: int
    end_line: int
    end_col: int


@record
class Scan:
    """The outcome of one scan.

    Attributes:
        tree: the tree that was scanned and that alone may be compiled; None where the
            source does not parse.
        hits: sorted by place; empty where the file may be loaded.
    """

    tree: ast.Module | None
    hits: tuple[Hit, ...]


def hit_at_line(code: str, message: str, line: int = 1, col: int = 1) -> Hit:
    """Return a hit for a place that is known by line and column (both from 1) only."""
    return Hit(code, message, HELP[code], line, col, line, col)
