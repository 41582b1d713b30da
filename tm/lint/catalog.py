"""Every rule, written down: nothing is found by walking packages, so nothing can be missing."""

from __future__ import annotations

from typing import Final

from tm.lint.rule import Rule
from tm.lint.rules import (
    broken_file,
    ctx_use,
    handler_logs,
    missing_return,
    signature,
    tool_circle,
    unknown_api,
)

RULES: Final[tuple[Rule, ...]] = (
    broken_file.RULE,
    unknown_api.RULE,
    signature.RULE,
    handler_logs.RULE,
    ctx_use.RULE,
    tool_circle.RULE,
    missing_return.RULE,
)
