"""Loading and calling tenant functions in tests, from source text."""

from __future__ import annotations

import ast
import os
import textwrap
from pathlib import Path
from typing import Any

from tm.errors import Location
from tm.model import FunctionRef
from tm.runner.calls import call_function
from tm.runner.functions import FunctionLoader
from tm.runner.results import to_json
from tm.runner.sources import SourceFiles
from tm.scan import Scan, scan_source

AT = Location("tenants/acme/tools.yaml", 3, 14)
LONG_AGO_S = 1_700_000_000


def parse_only(source: bytes, path: str, *, depth: int = 0) -> Scan:
    """A scan that finds nothing: what the guard stops then, it stops alone."""
    del depth
    return Scan(ast.parse(source, path), ())


class Workshop:
    """A workspace in which a test writes, loads and calls functions."""

    def __init__(self, root: Path, scan: Any = scan_source) -> None:
        self.root = root
        self.loader = FunctionLoader(SourceFiles(root, scan=scan))

    def write(self, path: str, source: str | bytes) -> Path:
        """Write a file, relative to `tenants/`; text loses its common indentation."""
        target = self.root / "tenants" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = source if isinstance(source, bytes) else textwrap.dedent(source).encode()
        target.write_bytes(data)
        return target

    def ref(self, path: str = "acme/a.py", name: str = "f", home: str | None = None) -> FunctionRef:
        """Return a reference to a function of a file, relative to `tenants/`."""
        return FunctionRef(home or path.split("/", maxsplit=1)[0], f"tenants/{path}", name, AT)

    def load(self, path: str = "acme/a.py", name: str = "f", **options: Any) -> Any:
        """Load a function, by default a handler of the tenant acme."""
        tenant, role = options.pop("tenant", "acme"), options.pop("role", "handler")
        return self.loader.load(self.ref(path, name, **options), role, tenant=tenant)

    def run(self, source: str | bytes, ctx: Any = None, **options: Any) -> Any:
        """Write a file with the handler `f`, call it and return its result as JSON."""
        self.write("acme/a.py", source)
        fn = self.load()
        return call_function(fn, {}, {}, ctx or {}, ref=self.ref(), convert=to_json, **options)


def handler(body: str, before: str = "") -> str:
    """Return a file with a handler `f` of this body."""
    top, inner = textwrap.dedent(before), textwrap.indent(textwrap.dedent(body), "    ")
    return f"{top}\n\ndef f(results, args, ctx):\n{inner}\n"


def touch(path: Path, seconds: int = LONG_AGO_S) -> None:
    """Set a file's modification time."""
    os.utime(path, (seconds, seconds))
