"""What a rule finds, at the user's own line."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from tm.errors import Location
from tm.records import record

Severity: TypeAlias = Literal["error", "warning"]


@record
class Finding:
    """One fault in one place.

    Attributes:
        at: with its line; a finding about a whole file stands at line 1.
        end: line and column behind the last character; None: the end of the line.
        help: what to do; None where the message says it.
        tool: name of the tool that it is about; None for others.
        tenant: code, or `_shared`; None for a file of no tenant.
        fixable: whether `--fix` mends it.
    """

    code: str
    name: str
    severity: Severity
    message: str
    at: Location
    end: tuple[int, int] | None = None
    help: str | None = None
    tool: str | None = None
    tenant: str | None = None
    fixable: bool = False

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Return what findings are sorted by: place, then code, then words."""
        return (self.at.path, self.at.line or 1, self.at.col or 1, self.code, self.message)

    def to_json(self) -> dict[str, Any]:
        """Return the finding's shape in `--json` output (SPEC, section 10)."""
        line, col = self.at.line or 1, self.at.col or 1
        end_line, end_col = self.end or (line, col)
        return {
            "path": self.at.path,
            "line": line,
            "col": col,
            "end_line": end_line,
            "end_col": end_col,
            "code": self.code,
            "name": self.name,
            "severity": self.severity,
            "message": self.message,
            "help": self.help,
            "tool": self.tool,
            "tenant": self.tenant,
            "fixable": self.fixable,
        }
