"""Where a shared tool's path argument leads, and the errors of paths that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import tm.confine.openat2  # noqa: F401  from here on the kernel checks these paths
from tm.builtin.context import FILES, BuiltinContext
from tm.confine import MissingPathError, check_path
from tm.confine.tree import walk_files
from tm.errors import Detail, SecurityError, ToolError, did_you_mean

NEAR_LIMIT = 10_000
"""Files among which the nearest names are looked for."""

_TENANTS = "tenants"


def in_tenant(context: BuiltinContext, *segments: str) -> tuple[str, ...]:
    """Return the segments from the root to something of the run's tenant.

    Paths are opened from the root, so that no folder of the tenant, not even `files/` itself, is
    followed where it is a link.
    """
    return (_TENANTS, context.tenant, *segments)


def in_files(context: BuiltinContext, path: str) -> tuple[str, ...]:
    """Return the segments from the root to a file that a `path` argument means.

    Raises:
        SecurityError: TM518, the path's text is not safe, or names the folder itself.
    """
    segments = check_path(path)
    if not segments:
        raise SecurityError("a file is meant, not the folder itself", code="TM518")
    return in_tenant(context, FILES, *segments)


def invalid(argument: str, message: str, hint: str | None = None) -> ToolError:
    """Return the error for an argument that a model can mend: TM501."""
    return ToolError(message, code="TM501", hint=hint, details=[Detail(argument, message)])


@contextmanager
def named_files(context: BuiltinContext, path: str) -> Iterator[None]:
    """Turn what is not there into an error that names the nearest files.

    Raises:
        ToolError: TM501, there is no such file or folder.
    """
    try:
        yield
    except MissingPathError as error:
        near = did_you_mean(path, _known(context))
        raise invalid(
            "path", f"there is no {path!a} in files/{near}", "listFiles tells what is there"
        ) from error


def _known(context: BuiltinContext) -> list[str]:
    """Return the paths of the tenant's files, and their folders'."""
    known: set[str] = set()
    try:
        for found in islice(walk_files(context.root, in_tenant(context, FILES)), NEAR_LIMIT):
            known.add(found.path)
            known.update(_folders(found.path))
    except SecurityError:
        return []  # no file was ever written, or files/ is a link: then nothing is near
    return sorted(known)


def _folders(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
