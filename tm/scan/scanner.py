"""`scan_source`: the one scan that loader, lint and writeTenantConfig share."""

from __future__ import annotations

import ast
import sys
import warnings

from tm.scan.collect import Collector
from tm.scan.compiled import surely_compiles
from tm.scan.hits import SYNTAX, Hit, Scan, hit_at_line
from tm.scan.report import Report
from tm.scan.rules_attributes import check_attributes
from tm.scan.rules_classes import check_classes
from tm.scan.rules_ctx import check_ctx
from tm.scan.rules_flow import check_flow, check_tangle, check_unknown
from tm.scan.rules_getters import check_getters
from tm.scan.rules_imports import check_imports, check_methods
from tm.scan.rules_loading import check_loading
from tm.scan.rules_names import check_names
from tm.scan.rules_naming import check_naming
from tm.scan.rules_shared import check_shared
from tm.scan.rules_sizes import check_sizes
from tm.scan.rules_values import check_values
from tm.scan.rules_zones import check_zones
from tm.scan.source import decode_source

# What CPython's parser and compiler raise: also for NUL in a path, and for deep nesting.
_PARSER_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)


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
    except _PARSER_ERRORS as error:
        return Scan(None, (_broken(error),))
    return Scan(tree, _check(tree, text, depth, path))


def _check(tree: ast.Module, text: str, depth: int, path: str) -> tuple[Hit, ...]:
    report = Report(text.split("\n"))
    try:
        collector = Collector(tree)
        facts = collector.facts
        check_loading(tree, facts, report)
        check_sizes(tree, facts, report)
        check_imports(facts, report, depth)
        check_names(facts, report)
        check_attributes(facts, report)
        check_classes(facts, report)
        check_values(facts, report)
        check_naming(facts, report)
        check_getters(facts, report)
        check_flow(facts, report)
        check_ctx(facts, report)
        check_shared(facts, report)
        check_zones(facts, report)
        check_methods(facts, report)
        check_unknown(collector.unknown, report)
        check_tangle(facts, report)
    except RecursionError as error:
        return (_broken(error),)
    hits = report.hits()
    return hits if hits or surely_compiles(facts, text) else _compile(tree, path)


def _compile(tree: ast.Module, path: str) -> tuple[Hit, ...]:
    """Find what only the compiler refuses, such as `break` outside a loop."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(tree, path, "exec", dont_inherit=True)
    except _PARSER_ERRORS as error:
        return (_broken(error),)
    return ()


def _broken(error: Exception) -> Hit:
    if isinstance(error, SyntaxError):
        return _syntax_hit(error)
    if isinstance(error, RecursionError | MemoryError):
        return hit_at_line(SYNTAX, "code is nested too deep")
    return hit_at_line(SYNTAX, f"file does not parse: {error}")


def _syntax_hit(error: SyntaxError) -> Hit:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    message = f"file does not parse with Python {version}: {error.msg}"
    return hit_at_line(SYNTAX, message, max(error.lineno or 1, 1), max(error.offset or 1, 1))
