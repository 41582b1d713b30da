"""Everything that is wrong with the fields of a declaration, each fault at its own key: for lint.

The tables of `fields` decide, as they do for the loader, which stops at the first fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tm.config.extends import Declaration
from tm.config.fields import (
    API_FIELDS,
    ASSISTANT_FIELDS,
    AUTH_TYPES,
    PAGINATION_TYPES,
    PROVIDER_FIELDS,
    SETTING_FIELDS,
    TASK_FIELDS,
    TOOL_FIELDS,
    FieldSpec,
    is_kind,
)
from tm.config.shape import value_word
from tm.config.source import KeyPath
from tm.errors import ConfigError, did_you_mean
from tm.schema.refusals import DIALECTS

_TABLES: Final[Mapping[str, Mapping[str, FieldSpec]]] = {
    "tools": TOOL_FIELDS,
    "apis": API_FIELDS,
    "assistants": ASSISTANT_FIELDS,
    "scheduled": TASK_FIELDS,
}
_WORDS: Final = {
    "tools": "tool", "apis": "api", "assistants": "assistant", "scheduled": "task",
}  # fmt: skip
_INNER: Final[Mapping[str, Sequence[str]]] = {
    "timeout": ("connect", "read"),
    "retry": ("attempts",),
    "pagination": (
        "type", "items", "param", "start", "limit_param", "limit", "next", "max_pages",
    ),
    "auth": (
        "type", "token", "username", "password", "name", "value", "token_url", "client_id",
        "client_secret", "scope",
    ),
    "fixtures": ("name", "args", "expect", "status", "error", "max_ms"),
}  # fmt: skip
_AUTH_KEYS: Final[Mapping[str, Sequence[str]]] = {
    "bearer": ("token",),
    "basic": ("username", "password"),
    "header": ("name", "value"),
    "query": ("name", "value"),
    "oauth2_client_credentials": ("token_url", "client_id", "client_secret", "scope"),
}
_TYPES: Final[Mapping[str, Sequence[str]]] = {"auth": AUTH_TYPES, "pagination": PAGINATION_TYPES}
_PLAIN_KINDS: Final[Mapping[str, type]] = {"text": str, "mapping": dict, "boolean": bool}
"""Nearly all fields are of these kinds, and right."""
_MODES: Final = ("live", "replay")
_EMPTY_COUNTS_AS_NONE: Final = "description"


def field_faults(own: Declaration) -> Iterator[ConfigError]:
    """Yield each unknown key, and each value that is not of its field's kind.

    A tool that is no mapping, and an api without `base_url`, are `shape`'s.
    """
    what = f"{_WORDS[own.section]} '{own.name}'"
    if isinstance(own.value, Mapping):
        yield from _fields(own, (), own.value, _TABLES[own.section], what)
    elif own.section in {"assistants", "scheduled"}:
        message = f"{what} must be a mapping of fields, not {value_word(own.value)}"
        yield ConfigError(message, code="TM007", at=own.at)


def setting_faults(own: Declaration) -> Iterator[ConfigError]:
    """Yield what is wrong with one key of `settings`; keys of the team's own are free."""
    if own.name not in SETTING_FIELDS:
        return
    if own.name == "providers" and isinstance(own.value, Mapping):
        for name, provider in own.value.items():
            if isinstance(provider, Mapping):
                what = f"provider '{name}'"
                yield from _fields(own, (name,), provider, PROVIDER_FIELDS, what)
                yield from _dialect_faults(own, name, provider.get("dialect"))
            else:
                message = f"provider '{name}' must be a mapping, not {value_word(provider)}"
                yield ConfigError(message, code="TM007", at=own.locate(name))
        return
    spec = SETTING_FIELDS[own.name]
    is_odd_mode = own.name == "http" and own.value not in _MODES
    if own.value is not None and (is_odd_mode or not is_kind(own.value, spec.kind)):
        said = repr(own.value)[:40] if is_odd_mode else value_word(own.value)
        message = f"settings.{own.name} must be {spec.words}, not {said}"
        yield ConfigError(message, code=spec.code, at=own.at)


def _dialect_faults(own: Declaration, name: str, dialect: Any) -> Iterator[ConfigError]:
    """Yield a dialect that is nearly one that tm knows; others are free, and check nothing."""
    near = did_you_mean(dialect, DIALECTS) if isinstance(dialect, str) else ""
    if near and dialect not in DIALECTS:
        message = f"dialect {dialect!r:.40} of provider '{name}' is not known{near}"
        yield ConfigError(message, code="TM007", at=own.locate(name, "dialect"))


def _fields(
    own: Declaration,
    keys: KeyPath,
    value: Mapping[str, Any],
    table: Mapping[str, FieldSpec],
    what: str,
) -> Iterator[ConfigError]:
    for key, field in value.items():
        if key in table and type(field) is _PLAIN_KINDS.get(table[key].kind):
            continue
        at = own.locate(*keys, key)
        if key not in table:
            near = did_you_mean(key, list(table))
            yield ConfigError(f"unknown key {key!r:.60} in {what}{near}", code="TM007", at=at)
            continue
        inner = list(_inner_faults(own, (*keys, key), field, f"{key} of {what}"))
        yield from inner
        spec = table[key]
        if inner or is_kind(field, spec.kind) or (key == _EMPTY_COUNTS_AS_NONE and field is None):
            continue
        message = f"{key} of {what} must be {spec.words}, not {value_word(field)}"
        yield ConfigError(message, code=spec.code, at=at)


def _inner_faults(own: Declaration, keys: KeyPath, value: Any, what: str) -> Iterator[ConfigError]:
    """Yield unknown keys of the mappings that a field holds."""
    field = str(keys[-1])
    if field not in _INNER:
        return
    listed = enumerate(value) if field == "fixtures" and isinstance(value, list) else ()
    places = [((*keys, number), item) for number, item in listed] or [(keys, value)]
    for place, mapping in places:
        for key in mapping if isinstance(mapping, Mapping) else ():
            if key not in _INNER[field]:
                near = did_you_mean(key, _INNER[field])
                at = own.locate(*place, key)
                yield ConfigError(f"unknown key {key!r:.60} in {what}{near}", code="TM007", at=at)
    yield from _type_faults(own, keys, value, what)


def _type_faults(own: Declaration, keys: KeyPath, value: Any, what: str) -> Iterator[ConfigError]:
    """Yield an unknown `type`, and what an auth of a type lacks or has no use for."""
    field = str(keys[-1])
    if field not in _TYPES or not isinstance(value, Mapping):
        return
    kind = value.get("type")
    if kind not in _TYPES[field]:
        said = "no type" if kind is None else f"type {kind!r:.40}"
        near = did_you_mean(str(kind), _TYPES[field])
        message = f"{what} has {said}; there are {', '.join(_TYPES[field])}{near}"
        yield ConfigError(message, code="TM007", at=own.locate(*keys, "type"))
    elif field == "auth":
        known = _AUTH_KEYS[str(kind)]
        for key in value:
            if key in _INNER["auth"] and key != "type" and key not in known:
                message = f"{what}: type {kind} has no {key!r}, but {', '.join(known)}"
                yield ConfigError(message, code="TM007", at=own.locate(*keys, key))
