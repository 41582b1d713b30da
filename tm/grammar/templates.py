"""Filling a request from the arguments: `{name}` in the path, right sides of fields (SPEC 3.1).

In `query`, `body` and `headers` a text without braces is a dot path into the arguments; a text
with braces is text, in which every `{name}` is filled and every other brace stays; a mapping with
the single key `value` is a constant. A literal `{name}` is written as a constant.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import quote

from tm.errors import ConfigError, Detail, ToolError, did_you_mean, join_path
from tm.grammar.dotpath import STAR, Found, split_steps, walk
from tm.model import ABSENT, Absent, Json

_NAME: Final = r'(?:[\w$@*-]+|"[^"{}]*")(?:\.(?:[\w$@*-]+|"[^"{}]*"))*'
_PLACEHOLDER: Final = re.compile(rf"\{{({_NAME})\}}")
_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LITERAL: Final = "%/:?#[]@!$&'()*+,;=~"
"""Stays in the literal parts: delimiters of RFC 3986, and percent codes that are there."""
_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


# --- names ------------------------------------------------------------------------------------


def path_names(template: str) -> set[str]:
    """Return the names in a path template, as written (`customer.id`).

    Raises:
        ConfigError: TM107, for a brace that encloses no name.
    """
    left_over = _PLACEHOLDER.sub("", template)
    if "{" in left_over or "}" in left_over:
        message = f"path '{template}' has a brace that encloses no argument's name"
        raise ConfigError(message, code="TM107", hint="Write {name} or {customer.id}.")
    return set(_PLACEHOLDER.findall(template))


def named_arguments(spec: Json) -> set[str]:
    """Return the argument paths that a `query`, `body` or `headers` mapping names."""
    return set(_names_in(spec))


def _names_in(spec: Json) -> Iterator[str]:
    if isinstance(spec, str):
        if "{" in spec or "}" in spec:
            yield from _PLACEHOLDER.findall(spec)
        else:
            yield spec
    elif isinstance(spec, Mapping) and not is_constant(spec):
        for side in spec.values():
            yield from _names_in(side)
    elif isinstance(spec, list):
        for side in spec:
            yield from _names_in(side)


def odd_sides(spec: Json, path: tuple[object, ...] = ()) -> list[Detail]:
    """Return a failure for each right side that `resolve` would refuse as TM113, for lint."""
    if isinstance(spec, str) or is_constant(spec):
        return []
    if isinstance(spec, Mapping):
        return [odd for name, side in spec.items() for odd in odd_sides(side, (*path, name))]
    if isinstance(spec, list):
        return [odd for index, side in enumerate(spec) for odd in odd_sides(side, (*path, index))]
    return [Detail(join_path(path), f"write a constant as {{value: {scalar_text(spec)}}}")]


def top_name(name: str, known: Sequence[str] | set[str] | Mapping[str, object]) -> str:
    """Return the argument that an argument path begins with; a literal name wins over dots."""
    return name if name in known else _steps(name)[0]


def argument_steps(name: str, known: Mapping[str, object]) -> tuple[str, ...]:
    """Return the steps of an argument path; a literal name wins over dots."""
    return (name,) if name in known else _steps(name)


def unused_arguments(template: str, args: Mapping[str, Json]) -> dict[str, Json]:
    """Return the arguments of which a path template takes no part."""
    used = {top_name(name, args) for name in path_names(template)}
    return {name: value for name, value in args.items() if name not in used}


def is_constant(side: Json) -> bool:
    """Tell whether a right side is `{value: X}`."""
    return isinstance(side, Mapping) and len(side) == 1 and "value" in side


def _steps(name: str) -> tuple[str, ...]:
    simple = split_steps(name)
    return simple if simple is not None else tuple(STAR if s == "*" else s for s in name.split("."))


def get_argument(args: Mapping[str, Json], name: str) -> Json | Absent:
    """Look an argument path up: the literal name first, then by dots; `ABSENT` if not there."""
    if name in args:
        return args[name]
    misses: list[Found] = []
    return walk(args, _steps(name), misses)


# --- the path -----------------------------------------------------------------------------------


def fill_path(template: str, args: Mapping[str, Json]) -> str:
    """Fill a path template; every value is percent-encoded, `/` included.

    Raises:
        ToolError: TM501, with every argument that could change the route: absent, null, a list or
            an object, empty, blank, `.`, `..`, or with control characters.
        ConfigError: TM107, for a brace that encloses no name.
    """
    path_names(template)
    texts: dict[str, str] = {}
    failures: list[Detail] = []
    for name in dict.fromkeys(_PLACEHOLDER.findall(template)):
        value = get_argument(args, name)
        fault = _path_fault(value)
        if fault:
            near = did_you_mean(name, list(args)) if value is ABSENT else ""
            failures.append(Detail(name, fault + near))
        else:
            texts[name] = scalar_text(value)
    failures = failures or list(_segment_faults(template, texts))
    if failures:
        listed = "; ".join(f"{detail.path} {detail.message}" for detail in failures)
        raise ToolError(
            f"the path {template} can't be filled: {listed}", code="TM501", details=failures
        )
    # Split by a pattern with one group: literal pieces and names take turns.
    pieces = _PLACEHOLDER.split(template)
    return "".join(
        quote(texts[piece], safe="") if number % 2 else quote(piece, safe=_LITERAL)
        for number, piece in enumerate(pieces)
    )


def _path_fault(value: Json | Absent) -> str | None:
    if value is ABSENT:
        return "is missing; the path needs it"
    if value is None:
        return "is null; the path needs a value"
    if isinstance(value, Mapping | list | tuple):
        return "is a list or an object; the path needs a single value"
    try:
        text = scalar_text(value)
    except ValueError:
        return "is a number that can't be written into a path"
    return _text_fault(text)


def _text_fault(text: str) -> str | None:
    # What ASCII can print is none of them; most values are, and the look at each takes time.
    if not (text.isascii() and text.isprintable()) and any(map(_is_refused, text)):
        return "has control characters, which a path must not have"
    if _is_blank(text):
        return "is empty or blank; the path would name something else"
    if _is_dot_segment(text):
        return f"is '{text}', which would climb in the path"
    return None


def _is_refused(char: str) -> bool:
    return unicodedata.category(char) in _REFUSED_CATEGORIES or char in _BIDI


def _is_blank(text: str) -> bool:
    return not _visible(text)


def _visible(text: str) -> str:
    if text.isascii():
        return text.strip()
    return "".join(char for char in text if unicodedata.category(char) != "Cf").strip()


def _is_dot_segment(text: str) -> bool:
    # Some servers cut `;parameters` off before they resolve dots, so `..;` climbs as well.
    return _visible(text.partition(";")[0]) in {".", ".."}


def _segment_faults(template: str, texts: Mapping[str, str]) -> Iterator[Detail]:
    path = re.split(r"[?#]", template, maxsplit=1)[0]
    for segment in path.split("/"):
        names = _PLACEHOLDER.findall(segment)
        text = _PLACEHOLDER.sub(lambda match: texts[match.group(1)], segment)
        if names and (_is_blank(text) or _is_dot_segment(text)):
            yield Detail(names[0], f"makes '{text}' of the segment {segment}, which would climb")


def scalar_text(value: Json) -> str:
    """Write a single value as text: `true`/`false`, `null`, numbers as in JSON.

    Raises:
        ValueError: for NaN, infinity and an integer too long to be written.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("not a number that JSON knows")
    return str(value)


# --- fields ---------------------------------------------------------------------------------------


def fill_fields(
    spec: Mapping[str, Json], args: Mapping[str, Json], *, expand: Callable[[str], str]
) -> dict[str, Json]:
    """Fill a `query`, `body` or `headers` mapping from the arguments.

    A field whose argument is absent is left out, and so is a nested mapping or list of which
    nothing is left. Null stays null; query and headers drop it where they are written.

    Args:
        spec: field name to right side; nested for a body.
        args: the run's arguments.
        expand: replaces `${NAME}` in the texts of constants.

    Raises:
        ToolError: TM501, for a list or an object inside a text.
        ConfigError: TM113, for a right side that is none.
    """
    filled = {name: resolve(side, args, expand=expand) for name, side in spec.items()}
    return {name: value for name, value in filled.items() if value is not ABSENT}


def resolve(side: Json, args: Mapping[str, Json], *, expand: Callable[[str], str]) -> Json | Absent:
    """Return the value of one right side, or `ABSENT`. Raises as `fill_fields` does."""
    if isinstance(side, str):
        return _fill_text(side, args) if "{" in side or "}" in side else get_argument(args, side)
    if isinstance(side, Mapping):
        if is_constant(side):
            return _expand_all(side["value"], expand)
        return fill_fields(side, args, expand=expand) or (ABSENT if side else {})
    if isinstance(side, list):
        elements = [resolve(element, args, expand=expand) for element in side]
        return [e for e in elements if e is not ABSENT] or (ABSENT if side else [])
    raise ConfigError(
        f"{side!r} is neither an argument's path nor a text",
        code="TM113",
        hint=f"Write a constant as {{value: {scalar_text(side)}}}.",
    )


def _expand_all(value: Json, expand: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return expand(value)
    if isinstance(value, Mapping):
        return {key: _expand_all(below, expand) for key, below in value.items()}
    if isinstance(value, list):
        return [_expand_all(below, expand) for below in value]
    return value


def _fill_text(text: str, args: Mapping[str, Json]) -> str | Absent:
    parts = {name: get_argument(args, name) for name in _PLACEHOLDER.findall(text)}
    if any(part is ABSENT or part is None for part in parts.values()):
        return ABSENT
    texts = {name: _part_text(name, part, text) for name, part in parts.items()}
    return _PLACEHOLDER.sub(lambda match: texts[match.group(1)], text)


def _part_text(name: str, part: Json, text: str) -> str:
    fault = "is a number that can't be written as text"
    if isinstance(part, Mapping | list):
        fault = f"is a list or an object, which can't stand inside the text '{text}'"
    else:
        with suppress(ValueError):
            return scalar_text(part)
    raise ToolError(f"'{name}' {fault}", code="TM501", details=[Detail(name, fault)])
