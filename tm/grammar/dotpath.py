"""Mapping paths: `items.*.id`, `$headers.location`, `"customer-name"."first.name"` (SPEC 3.1).

A simple path is a row of steps and is walked here. A text that uses more is a JMESPath
expression, which `tm.grammar.expression` holds. Lookups go into mappings and lists only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from tm.errors import ConfigError, Location, did_you_mean, join_path
from tm.model import ABSENT, Absent, Json
from tm.records import record

Step: TypeAlias = str
"""A key, a position in digits, or `STAR`."""

STAR: Final[Step] = "\0*"
"""Every element. Begins with a character that no bare key has, so that `"*"` stays a key."""

Root: TypeAlias = Literal["body", "status", "headers"]

_QUOTED = r'"(?:[^"\\\x00-\x1f]|\\.)*"'
_STEP = re.compile(rf"\*|-?\d+(?!\w)|\w+|{_QUOTED}")
_HEADER = re.compile(rf"[\w!#$%&'+^`|~-]+|{_QUOTED}")
_POSITION = re.compile(r"-?[0-9]{1,18}")
_SIMPLE = re.compile(r'[\w.*"@$]')
_CACHED_PATHS = 4096


@record
class Found:
    """What a path found.

    Attributes:
        value: the value; null where nothing was found.
        missing: dotted path of the first step that was not there; None when all were. A null
            that is in the data is not missing.
        reason: why it was missing, in words; None when nothing was.
    """

    value: Json
    missing: str | None = None
    reason: str | None = None


@record
class Path:
    """A parsed mapping path.

    Attributes:
        text: as written.
        root: what it starts from.
        steps: the row of steps, for a simple path.
        expression: the JMESPath expression, where the text is one; else None.
    """

    text: str
    root: Root = "body"
    steps: tuple[Step, ...] = ()
    expression: object | None = None

    def find(
        self, body: Json, *, status: int | None = None, headers: Mapping[str, str] | None = None
    ) -> Found:
        """Look the path up in a response.

        Args:
            body: the response's body, as JSON.
            status: its HTTP status; None where there was no request.
            headers: its headers; names are compared without regard to case.
        """
        if self.expression is not None:
            from tm.grammar.expression import search  # noqa: PLC0415  JMESPath is rare and slow

            return search(self.text, self.expression, body)
        if self.root == "status":
            return _present(status, "$status", "there was no response")
        if self.root == "headers":
            return self._find_header(headers or {})
        misses: list[Found] = []
        value = walk(body, self.steps, misses)
        missed = misses[0] if misses else Found(None)
        return Found(None if value is ABSENT else value, missed.missing, missed.reason)

    def _find_header(self, headers: Mapping[str, str]) -> Found:
        by_lower = {name.lower(): value for name, value in headers.items()}
        if not self.steps:
            return Found(by_lower)
        name = self.steps[0].lower()
        return _present(by_lower.get(name), self.text, f"the response has no header '{name}'")


def _present(value: Json, text: str, reason: str) -> Found:
    return Found(None, text, reason) if value is None else Found(value)


def parse_path(text: str, *, at: Location | None = None) -> Path:
    """Parse a mapping path; parsed ones are kept.

    Args:
        text: the path as written.
        at: where it is written, for the error.

    Raises:
        ConfigError: TM112, with the character at which it stops making sense.
    """
    try:
        return _parse(text)
    except ConfigError as error:
        if at is None:
            raise
        raise ConfigError(error.message, code=error.code, hint=error.hint, at=at) from error


@lru_cache(maxsize=_CACHED_PATHS)
def _parse(text: str) -> Path:
    stripped = text.strip()
    if not stripped:
        raise ConfigError("a mapping path is empty", code="TM112", hint="Write @ for the whole.")
    if stripped.startswith("$"):
        return _parse_dollar(stripped)
    if stripped == "@":
        return Path(stripped)
    steps = split_steps(stripped.removeprefix("@."))
    if steps is not None:
        return Path(stripped, steps=steps)
    from tm.grammar.expression import compile_expression  # noqa: PLC0415  rare and slow

    return Path(stripped, expression=compile_expression(stripped))


def _parse_dollar(text: str) -> Path:
    if text == "$status":
        return Path(text, root="status")
    if text == "$headers":
        return Path(text, root="headers")
    head, _, name = text.partition(".")
    if head == "$headers" and _HEADER.fullmatch(name):
        return Path(text, root="headers", steps=(_unquote(name),))
    hint = "Use $status, $headers.NAME, or a path into the body without `$`."
    if head == "$" and name:
        hint = f"This is no JSONPath: leave `$.` out and write {name}."
    raise ConfigError(
        f"mapping path '{text}' does not parse at character 1", code="TM112", hint=hint
    )


def split_steps(text: str) -> tuple[Step, ...] | None:
    """Return the steps of a simple path, or None where the text uses more than that."""
    steps: list[Step] = []
    position = 0
    while True:
        match = _STEP.match(text, position)
        if match is None:
            return None
        word = match.group()
        steps.append(STAR if word == "*" else _unquote(word))
        position = match.end()
        if position == len(text):
            return tuple(steps)
        if text[position] != ".":
            return None
        position += 1


def _unquote(token: str) -> str:
    if not token.startswith('"'):
        return token
    try:
        return str(json.loads(token))
    except ValueError as error:
        message = f"mapping path: {token} is no quoted key"
        raise ConfigError(message, code="TM112", hint="Escapes are those of JSON.") from error


def walk(value: Json, steps: Sequence[Step], misses: list[Found]) -> Json | Absent:
    """Follow steps into a value.

    Args:
        value: where to start.
        steps: from `split_steps`.
        misses: gets one entry for each lookup that found nothing.

    Returns:
        The value, or `ABSENT`. Below a star, null stands in the place of what is absent.
    """
    return _walk(value, steps, (), misses)


def _walk(
    value: Json, steps: Sequence[Step], done: tuple[str, ...], misses: list[Found]
) -> Json | Absent:
    for number, step in enumerate(steps):
        if step == STAR:
            return _walk_all(value, steps[number + 1 :], done, misses)
        below = _look_up(value, step)
        if below is ABSENT:
            misses.append(_miss(value, step, done))
            return ABSENT
        value, done = below, (*done, step)
    return value


def _walk_all(
    value: Json, rest: Sequence[Step], done: tuple[str, ...], misses: list[Found]
) -> Json | Absent:
    if isinstance(value, Mapping):
        named = [(str(key), element) for key, element in value.items()]
    elif isinstance(value, list):
        named = [(str(index), element) for index, element in enumerate(value)]
    else:
        misses.append(_miss(value, STAR, done))
        return ABSENT
    found = [_walk(element, rest, (*done, name), misses) for name, element in named]
    return [None if element is ABSENT else element for element in found]


def _look_up(value: Json, step: Step) -> Json | Absent:
    if isinstance(value, Mapping):
        return value.get(step, ABSENT)
    if isinstance(value, list) and _POSITION.fullmatch(step):
        position = int(step)
        if -len(value) <= position < len(value):
            return value[position]
    return ABSENT


def _miss(value: Json, step: Step, done: tuple[str, ...]) -> Found:
    where = f"'{join_path(done)}'" if done else "the response"
    written = "*" if step == STAR else join_path([step])
    path = f"{join_path(done)}.{written}" if done else written
    return Found(None, path, _reason(value, step, where))


def _reason(value: Json, step: Step, where: str) -> str:
    if value is None:
        return f"{where} is null"
    if isinstance(value, Mapping):
        return f"{where} has no '{step}'{did_you_mean(step, [str(key) for key in value])}"
    if isinstance(value, list):
        return f"{where} is a list of {len(value)}, which has no '{step}'"
    return f"{where} is neither an object nor a list"
