"""Texts of findings on one line, and messages with their help."""

from __future__ import annotations

from tm.lint.finding import Finding
from tm.render.lines import visible


def full_message(finding: Finding) -> str:
    """Return message and help, each on lines of its own."""
    return visible(f"{finding.message}\n{finding.help}" if finding.help else finding.message)
