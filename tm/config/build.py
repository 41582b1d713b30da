"""Declarations to the typed model of `tm.model`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.config.extends import Declaration, Extended
from tm.config.references import read_reference
from tm.config.shape import check_api, check_tool
from tm.errors import ConfigError
from tm.model import (
    ABSENT,
    Api,
    Assistant,
    Field,
    Fixture,
    FunctionRef,
    Pagination,
    ScheduledTask,
    Timeouts,
    Tool,
)

NO_PARAMETERS: Final = {"type": "object", "properties": {}}
_PLAIN_FIELDS: Final = (
    "api", "method", "path", "query", "body", "body_format", "headers", "mapping", "args_fixture",
    "response_fixture", "read_only", "fail_when", "max_seconds", "max_nested_calls",
)  # fmt: skip


class Fields(Mapping[str, Field]):
    """The origin of each field of a tool, found when it is asked for."""

    def __init__(self, origins: Mapping[str, Declaration]) -> None:
        self._origins = origins

    def __getitem__(self, name: str) -> Field:
        """Return where a field comes from."""
        origin = self._origins[name]
        return Field(origin.home, origin.locate(name))

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the declared fields."""
        return iter(self._origins)

    def __len__(self) -> int:
        """Return how many fields are declared."""
        return len(self._origins)


def build_tool(extended: Extended, tenant: str) -> Tool:
    """Return a tool that can run.

    Raises:
        ConfigError: with the lint code of the first fault that stops it from running.
    """
    check_tool(extended)
    values, own = extended.values, extended.own
    given = {name: values[name] for name in _PLAIN_FIELDS if name in values}
    if "max_nested_calls" in given:
        given["max_nested_calls"] = int(given["max_nested_calls"])
    return Tool(
        name=own.name,
        tenant=tenant,
        home=own.home,
        at=own.at,
        description=values.get("description") or "",
        parameters=values.get("parameters", NO_PARAMETERS),
        preprocess=_function(extended, "preprocess"),
        postprocess=_function(extended, "postprocess"),
        handler=_function(extended, "handler"),
        fixtures=_fixtures(extended),
        **_overrides(values),
        **given,
        fields=Fields(extended.origins),
        declared=values,
    )


def _function(extended: Extended, field: str) -> FunctionRef | None:
    """Return the function of a field, relative to the file that declares it."""
    if field not in extended.values:
        return None
    origin = extended.origins[field]
    at = origin.locate(field)
    return read_reference(extended.values[field], field, origin.source.path, origin.home, at)


def _fixtures(extended: Extended) -> tuple[Fixture, ...]:
    """Return the named cases.

    Raises:
        ConfigError: TM109, two of the same name.
    """
    found: dict[str, Fixture] = {}
    for number, item in enumerate(extended.values.get("fixtures", ())):
        if item["name"] in found:
            at = extended.origins["fixtures"].locate("fixtures", number)
            raise ConfigError(f"two fixtures are named {item['name']!r}", code="TM109", at=at)
        found[item["name"]] = Fixture(
            name=item["name"],
            args=item.get("args", {}),
            expect=item.get("expect", ABSENT),
            status=item.get("status"),
            error=item.get("error"),
            max_ms=item.get("max_ms"),
        )
    return tuple(found.values())


def _overrides(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that a tool and an api share, as far as they are given."""
    found: dict[str, Any] = {}
    if "timeout" in values:
        found["timeouts"] = _timeouts(values["timeout"])
    if "retry" in values:
        retry = values["retry"]
        found["attempts"] = 1 if retry is False else int(retry.get("attempts", 3))
    if "max_response_bytes" in values:
        found["max_response_bytes"] = int(values["max_response_bytes"])
    if "follow_redirects" in values:
        found["follow_redirects"] = values["follow_redirects"]
    if "pagination" in values:
        found["pagination"] = _pagination(values["pagination"])
    return found


def _timeouts(value: Any) -> Timeouts:
    """Return the limits; a number holds for connecting and reading."""
    if isinstance(value, Mapping):
        default = Timeouts()
        connect = value.get("connect", default.connect_s)
        return Timeouts(float(connect), float(value.get("read", default.read_s)))
    return Timeouts(float(value), float(value))


def _pagination(value: Mapping[str, Any]) -> Pagination:
    """Return how pages are gathered; `type` was checked."""
    names = ("items", "param", "start", "limit_param", "limit", "next", "max_pages")
    given = {name: value[name] for name in names if value.get(name) is not None}
    return Pagination(kind=value["type"], **given)


def build_api(own: Declaration) -> Api:
    """Return an api that can be called.

    Raises:
        ConfigError: TM106 or TM007.
    """
    check_api(own)
    value = own.value
    given = {name: value[name] for name in ("auth", "verify", "query_arrays") if name in value}
    return Api(
        name=own.name,
        home=own.home,
        at=own.at,
        base_url=value["base_url"],
        headers=value.get("headers", {}),
        **_overrides(value),
        **given,
        declared=value,
    )


def build_assistant(own: Declaration) -> Assistant:
    """Return an assistant.

    Raises:
        ConfigError: TM402 where `tools` is no list of names.
    """
    value = own.value if isinstance(own.value, Mapping) else {}
    tools = value.get("tools", [])
    if not isinstance(tools, list) or not all(isinstance(name, str) for name in tools):
        raise ConfigError(
            f"tools of assistant '{own.name}' is a list of names",
            code="TM402",
            at=own.locate("tools"),
        )
    return Assistant(own.name, own.home, own.at, tuple(tools), value)


def build_task(own: Declaration) -> ScheduledTask:
    """Return a scheduled task; what it runs is checked when it is due."""
    value = own.value if isinstance(own.value, Mapping) else {}
    return ScheduledTask(own.name, own.home, own.at, value)
