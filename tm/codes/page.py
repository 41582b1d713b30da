"""A page of `tm explain`: what a code means, why it is there, how to mend it.

What lives here: the shape of a page and its plain text. What must not: the pages.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from tm.records import record

Severity: TypeAlias = Literal["error", "warning"]
Language: TypeAlias = Literal["yaml", "python", "shell"]

_WIDTH: Final = 90
_UNSUPPRESSED: Final = frozenset({"TM901", "TM902"})


@record
class Page:
    """One code. All texts are plain, one paragraph each.

    Attributes:
        code: `TMnnn`.
        name: short, in lower case with dashes, for reports.
        severity: of a finding; run-time errors are errors.
        title: one line, no full stop.
        what: what was found or what happened.
        why: what goes wrong if it stays.
        fix: what to do.
        bad, good: the smallest example that shows the fault, and the same mended.
        language: of both examples.
    """

    code: str
    name: str
    title: str
    what: str
    why: str
    fix: str
    bad: str
    good: str
    language: Language = "yaml"
    severity: Severity = "error"

    @property
    def suppress(self) -> str | None:
        """Return how a finding of this code is suppressed; None where it can't be."""
        if self.code.startswith("TM5") or self.code in _UNSUPPRESSED:
            return None
        if self.code.startswith("TM3"):
            return (
                "Only in the root's pyproject.toml, where a review sees it:\n\n"
                "    [tool.tm.lint]\n"
                f'    allow = [{{code = "{self.code}", path = "tenants/shop/tools/old.py", '
                'reason = "..."}]'
            )
        return (
            "On the line or the one above it, with a reason:\n\n"
            f"    # tm: ignore[{self.code}] why this is right here"
        )


def render_page(page: Page) -> str:
    """Return the page as text in the manner of Markdown, without colours, ending in a newline."""
    parts = [
        f"# {page.code} {page.name} ({page.severity})",
        page.title,
        f"## What\n\n{_paragraph(page.what)}",
        f"## Why\n\n{_paragraph(page.why)}",
        f"## What to do\n\n{_paragraph(page.fix)}",
        f"## Bad\n\n{_code(page.bad)}",
        f"## Good\n\n{_code(page.good)}",
    ]
    if page.suppress:
        parts.append(f"## Suppress\n\n{page.suppress}")
    return "\n\n".join(parts) + "\n"


def _paragraph(text: str) -> str:
    from textwrap import fill  # noqa: PLC0415  the linter shows no page

    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _code(example: str) -> str:
    """Return an example indented, as Markdown marks code."""
    lines = example.strip("\n").splitlines()
    return "\n".join(f"    {line}".rstrip() for line in lines)
