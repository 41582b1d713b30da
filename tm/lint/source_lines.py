"""Lines of a file as its own parser counts them."""

from __future__ import annotations

import re
from typing import Final

_PYTHON_ENDS: Final = re.compile(r"\r\n|[\r\n]")
_YAML_ENDS: Final = re.compile("\r\n|[\r\n\x85\u2028\u2029]")


def split_lines(data: bytes, *, is_python: bool) -> list[str]:
    """Return a file's lines without their ends; what is not UTF-8 is replaced."""
    lines = (_PYTHON_ENDS if is_python else _YAML_ENDS).split(data.decode("utf-8-sig", "replace"))
    return lines if lines[-1] else lines[:-1]
