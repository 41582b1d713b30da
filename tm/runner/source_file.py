"""A tenant's file that the scan let through, as code that may run.

What lives here: the file's data, and the compiling of its tree. What must not: reading and
scanning (`sources`), running (`modules`).
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from types import CodeType
from typing import Final, Protocol, TypeAlias

from tm.errors import ConfigError, Location
from tm.records import field, record
from tm.runner.weave import is_plain, weave

Stamp: TypeAlias = tuple[int, ...]
Def: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

OUTSIDE: Final = "TM312"
NOT_FOUND: Final = "TM117"
_SYNTAX: Final = "TM001"


@record(frozen=False)
class SourceFile:
    """A file that the scan let through; the same object as long as its content is the same.

    Attributes:
        path: relative to the workspace root, with `/`.
        source: the bytes that were scanned.
        code: of the tree that was scanned.
        tree: None in a worker, which gets the code alone.
        defs: the top-level functions by name.
        stamp: the file's status when it was read; None where a change right after the reading
            could leave it the same.
    """

    path: str
    source: bytes
    code: CodeType
    tree: ast.Module | None = None
    defs: Mapping[str, Def] = field(default_factory=dict)
    stamp: Stamp | None = None


class Files(Protocol):
    """Where a loader gets files from."""

    def get(self, path: str, home: str, at: Location) -> SourceFile:
        """Return a file that may run.

        Args:
            path: relative to the workspace root.
            home: the folder below `tenants/` that the file must lie in.
            at: what names the file, for the error.

        Raises:
            ConfigError: TM117, TM312, or what the scan found.
        """
        ...


def top_level_functions(tree: ast.Module) -> dict[str, Def]:
    """Return the top-level functions by name; of two with one name, the last one."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name: node for node in tree.body if isinstance(node, kinds)}


def compile_tree(tree: ast.Module, path: str) -> CodeType:
    """Return the code of the tree that was scanned, with the checks that it needs at run time.

    Raises:
        ConfigError: TM001, for what only the compiler finds (a `return` outside a function).
        SecurityError: TM511, for names that nothing allows.
    """
    code = _compiled(tree, path)
    if is_plain(code):
        return code
    weave(tree, path)
    return _compiled(tree, path)


def _compiled(tree: ast.Module, path: str) -> CodeType:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the linter's part, and not this command's stderr
            code: CodeType = compile(tree, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        at = Location(path, error.lineno, error.offset)
        raise ConfigError(f"file does not compile: {error.msg}", code=_SYNTAX, at=at) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise ConfigError(
            f"file does not compile: {type(error).__name__}", code=_SYNTAX, at=Location(path)
        ) from error
    return code
