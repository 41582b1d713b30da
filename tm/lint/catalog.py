"""Every rule, written down: nothing is found by walking packages, so nothing can be missing."""

from __future__ import annotations

from typing import Final

from tm.lint.rule import Rule
from tm.lint.rules import broken_file, unknown_api

RULES: Final[tuple[Rule, ...]] = (
    broken_file.RULE,
    unknown_api.RULE,
)
