"""JMESPath expressions, for mapping paths that a row of steps can't say.

Kept apart because it is the only place that imports jmespath.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jmespath
from jmespath import exceptions, functions

from tm.errors import ConfigError, did_you_mean
from tm.grammar.dotpath import Found
from tm.model import Json

_FUNCTIONS = functions.Functions.FUNCTION_TABLE


def compile_expression(text: str) -> Any:
    """Compile a JMESPath expression.

    Raises:
        ConfigError: TM112, with the character; also for a function that JMESPath does not have,
            which its own compiler would find only when it runs.
    """
    try:
        compiled = jmespath.compile(text)
    except exceptions.JMESPathError as error:
        raise _syntax_error(text, error) from error
    except RecursionError as error:
        raise ConfigError("a mapping path is nested too deep", code="TM112") from error
    for name, given in _calls(compiled.parsed):
        _check_call(text, name, given)
    return compiled


def _syntax_error(text: str, error: exceptions.JMESPathError) -> ConfigError:
    position = getattr(error, "lex_position", None)
    where = f" at character {position + 1}" if isinstance(position, int) else ""
    hint = 'Keys with a dash, a dot or a space are quoted: "customer-name". Positions: items.0.id.'
    return ConfigError(f"mapping path '{text}' does not parse{where}", code="TM112", hint=hint)


def _calls(node: Any) -> Iterator[tuple[str, int]]:
    stack: list[Any] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, dict) and "type" in here:
            if here["type"] == "function_expression":
                yield here["value"], len(here["children"])
            stack.extend(reversed(here["children"]))


def _check_call(text: str, name: str, given: int) -> None:
    declared = _FUNCTIONS.get(name)
    if declared is None:
        near = did_you_mean(name, sorted(_FUNCTIONS))
        raise ConfigError(
            f"mapping path '{text}' calls '{name}', which JMESPath does not have{near}",
            code="TM112",
        )
    wanted = declared["signature"]
    variadic = bool(wanted) and bool(wanted[-1].get("variadic"))
    if given < len(wanted) or (given > len(wanted) and not variadic):
        message = f"mapping path '{text}': {name}() takes {len(wanted)} arguments, not {given}"
        raise ConfigError(message, code="TM112")


def search(text: str, expression: Any, body: Json) -> Found:
    """Run a compiled expression; a null result and one that failed count as missing."""
    try:
        value = expression.search(body)
    except (exceptions.JMESPathError, TypeError, ValueError) as error:
        # jmespath lets Python's own errors out where texts and numbers are compared.
        return Found(None, text, f"the expression failed: {error}")
    except RecursionError:
        return Found(None, text, "the response is nested too deep")
    if value is None:
        return Found(None, text, "the expression found nothing")
    return Found(value)
