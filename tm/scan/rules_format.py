"""`str.format`: on constants only, without attribute access (point 9)."""

from __future__ import annotations

import ast
import re
from string import Formatter

from tm.scan.facts import AnyUse, Facts
from tm.scan.hits import INTERPRETER
from tm.scan.owners import maker, own_class
from tm.scan.report import Report
from tm.scan.values import constant_texts

_FORMAT_HELP = (
    "use an f-string, or keep the template as constant text in the file; for a template from args "
    'or config: template.replace("{name}", name)'
)


def check_format(node: ast.Attribute, use: AnyUse, facts: Facts, report: Report) -> None:
    """Check one `.format`: of constant text, without attributes, or a method of the file's own."""
    texts = constant_texts(facts, node.value, use.scope)
    if texts is None:
        if not _is_own_format(node.value, use, facts):
            report.add(
                INTERPRETER,
                node,
                "'.format' of a text that is not constant can read any attribute",
                _FORMAT_HELP,
            )
        return
    for text in texts:
        if reads_attributes(text):
            report.add(
                INTERPRETER, node, f"the template {text[:40]!r} reads an attribute", _FORMAT_HELP
            )
            return


def _is_own_format(base: ast.AST, use: AnyUse, facts: Facts) -> bool:
    """Return whether `.format` is a method or a field that a class of this file has itself."""
    owner = own_class(facts, base, use.scope) or maker(facts, base, use.scope)
    if not isinstance(owner, ast.ClassDef):
        return False
    if any(isinstance(s, ast.FunctionDef) and s.name == "format" for s in owner.body):
        return True
    is_field = "format" in facts.class_scopes[owner].names or "format" in facts.set_on_self()
    return is_field and not owner.bases  # with a base it could be a text's own method


def reads_attributes(template: str, depth: int = 3) -> bool:
    """Return whether a template has a field with an attribute, or can't be read at all.

    Args:
        template: for `str.format`.
        depth: how deep format specs may hold fields themselves.
    """
    try:
        fields = [(name, spec) for _, name, spec, _ in Formatter().parse(template)]
    except ValueError:
        return True  # a piece of a field: joined with another piece it can be anything
    for name, spec in fields:
        if name is not None and "." in re.sub(r"\[[^\]]*\]", "", name):
            return True
        if spec and depth and reads_attributes(spec, depth - 1):
            return True
    return False
