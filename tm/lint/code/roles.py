"""Which functions of a home's files the tools name, and as what."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal, TypeAlias, cast

from tm.lint.subjects import LintFile, LintHome, LintTool
from tm.model import FunctionRef
from tm.records import record
from tm.scan.signature import PARAMETERS

Role: TypeAlias = Literal["preprocess", "postprocess", "handler"]
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@record
class RoleFunction:
    """A function of a file, and one role that it has in a tool.

    Attributes:
        tool: name of the first tool that names it so.
    """

    file: LintFile
    node: Function
    role: Role
    tool: str

    @property
    def ctx(self) -> str | None:
        """Return its name for ctx; None where its parameters are wrong and none is called so."""
        names = positional(self.node)
        wanted = len(PARAMETERS[self.role])
        if len(names) >= wanted and "ctx" not in names:
            return names[wanted - 1]
        return "ctx" if "ctx" in names else None


def positional(node: Function) -> list[str]:
    """Return the names of its positional parameters."""
    return [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]


def role_functions(home: LintHome) -> list[RoleFunction]:
    """Return the functions in the home's own files that its tools name, each role once."""
    found: dict[tuple[str, str, str], RoleFunction] = {}
    for tool in home.tools:
        for function in tool_functions(tool, home):
            key = (function.file.path, function.node.name, function.role)
            if function.file.home == home.code:
                found.setdefault(key, function)
    return list(found.values())


def tool_functions(tool: LintTool, home: LintHome) -> Iterator[RoleFunction]:
    """Yield the functions of a tool that are there, inherited ones too.

    A file that the scan refuses has no functions: nothing of it is loaded.
    """
    for role, ref in tool.references:
        if not isinstance(ref, FunctionRef):
            continue
        owner = home if ref.home == home.code else home.shared
        file = owner.file(ref.path) if owner else None
        if file is None or file.scan.hits or ref.name not in file.functions:
            continue
        yield RoleFunction(file, file.functions[ref.name], cast("Role", role), tool.name)
