"""A failure in words."""

from __future__ import annotations

from tm.errors import Detail, ToolError
from tm.render.failure import error_lines
from tm.render.lines import plain


def rows(error: ToolError) -> list[str]:
    return [plain(row) for row in error_lines(error)]


def test_an_error_with_one_detail_that_says_the_same_is_told_once() -> None:
    message = "content is no base64: Incorrect padding"
    told = rows(ToolError(message, code="TM501", details=[Detail("content", message)]))
    assert told == [f"TM501 {message}", "  more: tm explain TM501"]


def test_details_stand_below_a_message_that_lists_them() -> None:
    details = [Detail("a", "a is missing"), Detail("b", "b is missing")]
    told = rows(ToolError("not valid: a is missing; b is missing", code="TM501", details=details))
    assert told[:3] == ["TM501 not valid", "  a is missing", "  b is missing"]


def test_each_argument_is_named_in_the_message_and_once_in_the_rows() -> None:
    details = [Detail("net", "must be a number"), Detail("b", "unknown argument 'b'")]
    message = f"the arguments of 't' are not valid: {'; '.join(map(str, details))}"
    assert message.endswith("net: must be a number; b: unknown argument 'b'")
    told = rows(ToolError(message, code="TM501", details=details))
    assert told[:3] == [
        "TM501 the arguments of 't' are not valid",
        "  net: must be a number",
        "  b: unknown argument 'b'",
    ]
