"""Time zones: a key is a name such as `Europe/Vienna`, never a path."""

from __future__ import annotations

import ast

from tm.scan.facts import Facts
from tm.scan.hits import INTERPRETER, READS
from tm.scan.report import Report
from tm.scan.values import constant_texts

_ZONE = ("zoneinfo", "ZoneInfo")
# A file as zone data, and the cache that all tools share.
_DENIED = frozenset({"from_file", "clear_cache"})


def _imports_zones(facts: Facts) -> bool:
    modules = {alias.name for use in facts.of(ast.Import) for alias in use.node.names}
    modules |= {use.node.module or "" for use in facts.of(ast.ImportFrom)}
    return "zoneinfo" in modules


def check_zones(facts: Facts, report: Report) -> None:
    """Find keys that are paths, and the class's ways to files and to its cache."""
    if not _imports_zones(facts):
        return
    for use in facts.of(ast.Call):
        if facts.imported(use.node.func, use.scope) != _ZONE:
            continue
        for value in (*use.node.args, *(keyword.value for keyword in use.node.keywords)):
            texts = constant_texts(facts, value, use.scope) or []
            if any(".." in text or text.startswith(("/", "\\")) for text in texts):
                report.add(READS, value, "this is a path, not a time zone", 'write "Europe/Vienna"')
    for access in facts.of(ast.Attribute):
        if access.node.attr in _DENIED and facts.imported(access.node.value, access.scope) == _ZONE:
            what = f"'ZoneInfo.{access.node.attr}' reads files or changes what all tools share"
            report.add(INTERPRETER, access.node, what, 'write `ZoneInfo("Europe/Vienna")`')
