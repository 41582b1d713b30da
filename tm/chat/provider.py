"""A provider as `settings.providers` declares it, ready to be asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tm.errors import ConfigError, Location, did_you_mean
from tm.model import Timeouts
from tm.records import record

_CONNECT_S: Final = 10.0
_READ_S: Final = 120.0
"""A model may think for a minute before its first word; an api's 30 seconds are too few."""


@record
class Provider:
    """A model's server.

    Attributes:
        url: of its chat completions.
        headers: filled; hold the key.
    """

    name: str
    url: str
    headers: Mapping[str, str]
    timeouts: Timeouts
    stream: bool = True


def read_provider(
    declared: Mapping[str, Any],
    name: Any,
    *,
    assistant: str,
    at: Location,
    place: Location,
    expand: Callable[[str, Location], str],
) -> Provider:
    """Return the provider that an assistant names.

    Args:
        declared: `settings.providers`.
        name: as the assistant gives it.
        assistant: its name, for messages.
        at: of the assistant.
        place: of the provider's declaration.
        expand: fills `${NAME}`.

    Raises:
        ConfigError: TM519, there is no such provider, or it has no address.
        ToolError: TM503, a variable is not set.
    """
    if not isinstance(name, str) or name not in declared:
        raise _unknown(declared, name, assistant, at)
    fields = declared[name] if isinstance(declared[name], Mapping) else {}
    base_url = expand(str(fields.get("base_url") or ""), place).rstrip("/")
    if not base_url.startswith(("http://", "https://")):
        raise ConfigError(
            f"provider '{name}' has no base_url that begins with http:// or https://",
            code="TM519",
            hint="add base_url, for example https://api.openai.com/v1",
            at=place,
        )
    return Provider(
        name=name,
        url=f"{base_url}/chat/completions",
        headers=_headers(fields, place, expand),
        timeouts=_timeouts(fields.get("timeout")),
        stream=fields.get("stream") is not False,
    )


def _unknown(declared: Mapping[str, Any], name: Any, assistant: str, at: Location) -> ConfigError:
    known = sorted(declared)
    if name is None:
        what = f"assistant '{assistant}' names no provider"
        hint = "add `provider:` with a name under settings.providers"
    else:
        near = did_you_mean(str(name), known)
        what = (
            f"assistant '{assistant}' names the provider {name!r:.60}, which is not declared{near}"
        )
        hint = "declare it under settings.providers with base_url and api_key"
    listed = f"; declared: {', '.join(known)}" if known else ""
    return ConfigError(what, code="TM519", hint=f"{hint}{listed}", at=at)


def _headers(
    fields: Mapping[str, Any], place: Location, expand: Callable[[str, Location], str]
) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if key := fields.get("api_key"):
        headers["Authorization"] = f"Bearer {expand(str(key), place)}"
    given = fields.get("headers")
    for name, value in given.items() if isinstance(given, Mapping) else ():
        headers[str(name)] = expand(str(value), place)
    return headers


def _timeouts(declared: Any) -> Timeouts:
    if isinstance(declared, Mapping):
        return Timeouts(
            float(declared.get("connect", _CONNECT_S)), float(declared.get("read", _READ_S))
        )
    if isinstance(declared, int | float) and not isinstance(declared, bool):
        return Timeouts(min(float(declared), _CONNECT_S), float(declared))
    return Timeouts(_CONNECT_S, _READ_S)
