"""Every rule, written down: nothing is found by walking packages, so nothing can be missing."""

from __future__ import annotations

from typing import Final

from tm.lint.rule import Rule
from tm.lint.rules import (
    assistants,
    broken_file,
    broken_section,
    ctx_use,
    duplicate_name,
    field_values,
    fixtures,
    function_file,
    handler_logs,
    links,
    missing_return,
    prompts,
    request,
    response_paths,
    schedule,
    schema,
    signature,
    tool_circle,
    tool_shape,
    unknown_api,
)

RULES: Final[tuple[Rule, ...]] = (
    broken_file.RULE,
    broken_section.RULE,
    duplicate_name.RULE,
    field_values.TOOL_RULE,
    field_values.HOME_RULE,
    tool_shape.RULE,
    schema.RULE,
    unknown_api.RULE,
    request.RULE,
    fixtures.RULE,
    response_paths.TOOL_RULE,
    response_paths.API_RULE,
    function_file.RULE,
    signature.RULE,
    handler_logs.RULE,
    ctx_use.RULE,
    tool_circle.RULE,
    missing_return.RULE,
    links.HOME_RULE,
    links.WORKSPACE_RULE,
    assistants.HOME_RULE,
    assistants.ASSISTANT_RULE,
    assistants.TASK_RULE,
    prompts.ASSISTANT_RULE,
    prompts.TASK_RULE,
    prompts.TOOL_RULE,
    schedule.TASK_RULE,
    schedule.HOME_RULE,
)
