"""`scan_source`: the one scan that loader, lint and writeTenantConfig share."""

from __future__ import annotations

import ast
import warnings

from tm.scan.hits import SYNTAX, Hit, Scan, hit_at_line
from tm.scan.source import decode_source


def scan_source(source: bytes, path: str, *, depth: int = 0) -> Scan:
    """Parse a tenant's Python file and check it against the policy. Never raises.

    Args:
        source: the bytes of the file, as read once; run nothing but the tree of this scan.
        path: of the file in the workspace, for the parser's messages.
        depth: number of folders between the tenant's folder and the file.

    Returns:
        The tree (None where it does not parse) and the hits, in the order of the file.
    """
    text = decode_source(source)
    if isinstance(text, Hit):
        return Scan(None, (text,))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text, path)
    except SyntaxError as error:
        return Scan(None, (_syntax_hit(error),))
    except (ValueError, RecursionError, MemoryError) as error:
        return Scan(None, (hit_at_line(SYNTAX, f"file does not parse: {type(error).__name__}"),))
    return Scan(tree, ())


def _syntax_hit(error: SyntaxError) -> Hit:
    return hit_at_line(
        SYNTAX, f"file does not parse: {error.msg}", error.lineno or 1, error.offset or 1
    )
