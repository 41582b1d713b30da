"""Text as XML 1.0 takes it."""

from __future__ import annotations

import re
from typing import Final

from tm.render.annotation import one_line
from tm.render.lines import visible

_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
# What is left of XML 1.0's forbidden characters when control characters are escapes.
_FORBIDDEN: Final = re.compile("[\ufffe\uffff]")


def escaped(text: str) -> str:
    """Return the text for the inside of an element."""
    clean = _FORBIDDEN.sub("\ufffd", visible(text))
    return re.sub(r'[&<>"]', lambda hit: _ENTITIES[hit.group()], clean)


def attribute(text: str) -> str:
    """Return the text on one line, for an attribute in double quotes."""
    return escaped(one_line(text))
