"""Finds `# tm: ignore[TMnnn] reason` in YAML and Python: in real comments, never in texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Final

from tm.lint.subjects import LintFile
from tm.lint.suppression import Suppression

_HINT: Final = b"ignore"
_WORDS: Final = re.compile(r"#\s*tm:\s*ignore\b(?P<rest>.*)", re.IGNORECASE)
_CODES: Final = re.compile(r"\s*\[(?P<codes>[^\[\]]*)\](?P<reason>.*)")
_COMMENT_LINE: Final = re.compile(r"\s*#")


def find_suppressions(file: LintFile) -> tuple[Suppression, ...]:
    """Return the suppressing comments of a file in the order of their lines."""
    if _HINT not in file.data.lower():
        return ()
    lines = file.lines
    wanted = [number for number, line in enumerate(lines, 1) if _WORDS.search(line)]
    if not wanted:
        return ()
    comments = _python_comments if file.is_python else _yaml_comments
    return tuple(
        _read(lines, line, col)
        for line, col in comments(lines)
        if line in wanted and _WORDS.match(lines[line - 1], col - 1)
    )


def _read(lines: Sequence[str], line: int, col: int) -> Suppression:
    text = lines[line - 1]
    hit = _WORDS.match(text, col - 1)
    rest = hit["rest"] if hit else ""
    listed = _CODES.match(rest)
    codes = re.split(r"[,\s]+", listed["codes"].upper().strip()) if listed else []
    reason = (listed["reason"] if listed else "").split(" #")[0].strip(" \t-:,;.")
    covers = [line]
    if _COMMENT_LINE.match(text):
        covers.append(_next_line(lines, line))
    return Suppression(
        line, col, tuple(dict.fromkeys(code for code in codes if code)), reason, tuple(covers)
    )


def _next_line(lines: Sequence[str], line: int) -> int:
    """Return the line that a comment of its own stands above; comments between do not count."""
    below = line + 1
    while below <= len(lines) and _COMMENT_LINE.match(lines[below - 1]):
        below += 1
    return below


def _python_comments(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of comments; up to the fault where the file does not parse."""
    import tokenize  # noqa: PLC0415  files without a suppression do not need it

    source = StringIO("\n".join(lines) + "\n")
    try:
        for token in tokenize.generate_tokens(source.readline):
            if token.type == tokenize.COMMENT:
                yield from _marks(token.string, token.start[0], token.start[1])
    except (tokenize.TokenError, SyntaxError):
        return


def _marks(comment: str, line: int, col: int) -> Iterator[tuple[int, int]]:
    """Yield each `#` of a comment: another tool's words may stand in front of ours."""
    for hit in re.finditer("#", comment):
        yield line, col + hit.start() + 1


def _yaml_comments(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of comments: each `#` after a blank that is in no scalar."""
    taken = list(_scalars(lines))
    for number, text in enumerate(lines, 1):
        for hit in re.finditer(r"(?:^|(?<=[ \t]))#", text):
            place = (number, hit.start() + 1)
            if not any(start <= place < end for start, end in taken):
                yield from _marks(text[hit.start() :], number, hit.start())
                break


def _scalars(lines: Sequence[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield begin and end of every scalar; the head of a block scalar is none of its text."""
    import yaml  # noqa: PLC0415  as above

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for token in yaml.scan("\n".join(lines) + "\n", Loader=loader):
            if not isinstance(token, yaml.ScalarToken):
                continue
            start = (token.start_mark.line + 1, token.start_mark.column + 1)
            if token.style in {"|", ">"}:
                start = (start[0] + 1, 1)
            yield start, (token.end_mark.line + 1, token.end_mark.column + 1)
    except (yaml.YAMLError, RecursionError):
        return
