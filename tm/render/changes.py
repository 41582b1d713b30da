"""What `tm diff` found, as text, as JSON and as annotations for GitHub."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tm.exchange.changes import LEVELS, Change
from tm.render.annotation import annotation
from tm.render.lines import Line, Span, line

_STYLES: Final = {"breaking": "bold red", "risky": "yellow", "harmless": "green"}
_SEVERITIES: Final = {"breaking": "error", "risky": "warning", "harmless": "notice"}


def changes_json(changes: Sequence[Change], *, ok: bool) -> dict[str, Any]:
    """Return the document of `tm diff --json`."""
    return {"ok": ok, "changes": [change.to_json() for change in changes]}


def change_lines(changes: Sequence[Change], ref: str) -> Iterator[Line]:
    """Yield a line for each change, by tenant and from the worst on, then how many there are."""
    for tenant in sorted({change.tenant for change in changes}):
        yield line(Span(tenant, "bold"))
        for change in changes:
            if change.tenant == tenant:
                yield _change_line(change)
    counts = [sum(change.level == level for change in changes) for level in LEVELS]
    if not changes:
        yield line(f"models see no difference since {ref}")
        return
    said = ", ".join(f"{count} {level}" for count, level in zip(counts, LEVELS, strict=True))
    yield line(Span(f"{said} since {ref}", "dim"))


def _change_line(change: Change) -> Line:
    who = f"{change.tool}: " if change.tool else ""
    seen = f"  [{', '.join(change.assistants)}]" if change.assistants else ""
    at = f"  {change.at}" if change.at else ""
    return line(
        "  ",
        Span(f"{change.level:<9}", _STYLES[change.level]),
        Span(who, "cyan"),
        change.message,
        Span(seen, "magenta"),
        Span(at, "dim"),
    )


def github_annotations(changes: Sequence[Change], prefix: str) -> str:
    """Return one annotation a line, at the place where a changed tool stands now.

    Args:
        changes: in the order to be shown.
        prefix: of paths: the workspace's folder within the repository, with `/`, or empty.
    """
    rows = []
    for change in changes:
        properties = {"title": f"{change.level} for models of {change.tenant}"}
        if change.at is not None:
            place = {"file": prefix + change.at.path, "line": str(change.at.line or 1)}
            properties = place | properties
        subject = f"{change.tool}: " if change.tool else ""
        rows.append(annotation(_SEVERITIES[change.level], properties, subject + change.message))
    return "".join(f"{row}\n" for row in rows)
