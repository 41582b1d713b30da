"""Cuts documents into passages, each below its heading.

What lives here: pure functions from text to passages. What must not: files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tm.records import record

MAX_CHARS: Final = 1_000
"""Of a passage: enough to answer from, few enough to hand a model several."""

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_UNDERLINE: Final = re.compile(r" {0,3}(={3,}|-{3,})[ \t]*")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS: Final = re.compile(r"[*`]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n")


@record
class Passage:
    """A piece of a document.

    Attributes:
        heading: the nearest one above; empty: none.
        trail: the headings above that one, outermost first.
        text: as in the document.
    """

    heading: str
    text: str
    trail: tuple[str, ...] = ()


@record
class _Section:
    level: int
    heading: str
    lines: tuple[str, ...]


def markdown_passages(text: str) -> list[Passage]:
    """Return the passages of a Markdown text; `#` in a code block is no heading."""
    return _passages(_sections(text, with_marks=True))


def plain_passages(text: str) -> list[Passage]:
    """Return the passages of a plain text, whose headings are underlined lines."""
    return _passages(_sections(text, with_marks=False))


def page_passages(pages: Sequence[str | None]) -> list[Passage]:
    """Return the passages of pages, with `Page 3` as heading; None is a page that is damaged."""
    return [
        Passage(f"Page {number}", part)
        for number, page in enumerate(pages, start=1)
        for part in _parts(page or "")
    ]


def _passages(sections: Iterator[_Section]) -> list[Passage]:
    found: list[Passage] = []
    open_: list[tuple[int, str]] = []
    for section in sections:
        open_ = [one for one in open_ if one[0] < section.level]
        trail = tuple(heading for _, heading in open_ if heading)
        open_.append((section.level, section.heading))
        body = "\n".join(section.lines).strip("\n")
        # A heading alone is a passage too: a search for its words should not come back empty.
        parts = _parts(body) or ([section.heading] if section.heading else [])
        found += [Passage(section.heading, part, trail) for part in parts]
    return found


def _sections(text: str, *, with_marks: bool) -> Iterator[_Section]:
    """Yield what stands between two headings, with the level of the first one."""
    level, heading, body = 0, "", list[str]()
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line) if with_marks else None
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        found = None if fence else _heading(line, body, with_marks=with_marks)
        if found is None:
            body.append(line)
            continue
        if body or heading:
            yield _Section(level, heading, tuple(body))
        (level, heading), body = found, []
    yield _Section(level, heading, tuple(body))


def _heading(line: str, body: list[str], *, with_marks: bool) -> tuple[int, str] | None:
    """Return level and text of a heading; an underlined one is taken out of the body."""
    if with_marks and (mark := _ATX.fullmatch(line)):
        return len(mark[1]), _bare(mark[2] or "")
    under = _UNDERLINE.fullmatch(line)
    # A rule below a paragraph's last line, or the end of a list of fields, is no heading.
    if under is None or not body or not body[-1].strip():
        return None
    if len(body) > 1 and body[-2].strip():
        return None
    return (1 if under[1][0] == "=" else 2), _bare(body.pop())


def _bare(heading: str) -> str:
    """Return a heading's words without links and emphasis."""
    return _EMPHASIS.sub("", _LINK.sub(r"\1", heading)).strip()


def _parts(text: str) -> list[str]:
    """Return the text in pieces of at most MAX_CHARS, cut between paragraphs where possible."""
    parts: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        for piece in _pieces(paragraph.strip("\n")):
            if parts and len(parts[-1]) + 2 + len(piece) <= MAX_CHARS:
                parts[-1] += f"\n\n{piece}"
            elif piece.strip():
                parts.append(piece)
    return parts


def _pieces(paragraph: str) -> Iterator[str]:
    """Yield a paragraph, cut between sentences or lines where it is too long, else anywhere."""
    start = 0
    while len(paragraph) - start > MAX_CHARS:
        window = paragraph[start : start + MAX_CHARS]
        ends = [hit.end() for hit in _SENTENCE.finditer(window)]
        cut = ends[-1] if ends else window.rfind(" ") + 1 or MAX_CHARS
        yield window[:cut].strip()
        start += cut
    yield paragraph[start:]
