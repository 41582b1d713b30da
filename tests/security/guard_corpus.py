"""Runs a folder of tool files without the scan, each in a forked process.

`python -m tests.security.guard_corpus FOLDER`, in a folder that may be littered: prints one JSON
object {file: code}, where the code is `ok` for a file whose functions ran to their end.
"""

from __future__ import annotations

import ast
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.tenant_functions import Workshop, parse_only
from tm.errors import TmError
from tm.runner.calls import call_function
from tm.runner.context import CtxFacts, HttpAnswer, build_ctx, plain

LIMIT_S = 20
VALUES = {"preprocess": 1, "postprocess": 2, "handler": 2}
FACTS = CtxFacts("acme", None, None, {}, {"base_url": "https://shop.example"}, "files")


class Host:
    """The other side of ctx: an API and tools that answer with next to nothing."""

    def log(self, level: str, message: str, context: Any) -> None:
        """Take a line."""

    def request(self, request: Any) -> HttpAnswer:
        """Answer with an empty mapping."""
        return HttpAnswer(200, {}, b"{}", "{}", dict)

    def call_tool(self, name: str, args: Any) -> Any:
        """Answer with an empty mapping."""
        return {}

    def config(self) -> dict[str, Any]:
        """Return no config."""
        return {}


def functions(source: bytes) -> Iterator[tuple[str, str]]:
    """Yield (role, name) of every function that a file's tools name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                role = key.value if isinstance(key, ast.Constant) else None
                if isinstance(role, str) and role in VALUES:
                    yield role, ast.unparse(value)


def outcome(file: Path, root: Path) -> str:
    """Return the code of the error that the file's functions end in, or `ok`."""
    shop = Workshop(root, parse_only)
    source = file.read_bytes()
    shop.write("acme/a.py", source)
    try:
        for role, name in functions(source):
            fn = shop.load(name=name, role=role)
            values = [{} for _ in range(VALUES[role])]
            ctx = build_ctx(Host(), FACTS, may_call=True)
            call_function(fn, *values, ctx, ref=shop.ref(name=name), convert=plain)
    except TmError as error:
        return error.code
    return "ok"


def forked(file: Path, root: Path) -> str:
    """Return a file's outcome from a process of its own; `died` where it took that down."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(LIMIT_S)
        os.write(writer, outcome(file, root).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        code = stream.read()
    os.waitpid(child, 0)
    return code or "died"


if __name__ == "__main__":
    here = Path.cwd()
    files = sorted(Path(sys.argv[1]).glob("*.py*"))
    sys.stdout.write(json.dumps({file.name: forked(file, here) for file in files}))
