from typing import NoReturn

from tm import ToolError


def fail(text) -> NoReturn:
    raise ToolError(text)
