"""Which host a handler may call: the declared apis and `settings.http_allow`.

What lives here: from what a handler wrote to an api and a path below it. What must not: sending.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tm.errors import Location, ToolError
from tm.http.urls import DEFAULT_PORTS, BaseUrl, encode_path, is_url, split_origin
from tm.model import Api

PUBLIC_ONLY: Final = "public_only"
"""Key in an api's `declared`: its host must not resolve to a private address."""

Declared = Iterable[tuple[Api, BaseUrl]]


def resolve(
    target: str, default: Api | None, declared: Declared, allow: Sequence[str]
) -> tuple[Api, str]:
    """Return the api that a handler's path or URL belongs to, and the path below its base.

    Args:
        target: a relative path, or a whole URL.
        default: the tool's own api, for relative paths; None: it has none.
        declared: the tenant's apis with their addresses, as far as these are known.
        allow: `settings.http_allow`: hosts, `host:port`, and `*.suffix`.

    Raises:
        ToolError: TM516 for a host that is neither, TM501 for a text that is no address.
    """
    if not is_url(target):
        return _relative(target, default)
    apis = list(declared)
    try:
        origin, rest = split_origin(target)
        route, _, query = rest.partition("#")[0].partition("?")
        path = encode_path(route)
    except ToolError as error:
        message = f"the address {_start(target)!a} can't be called: {error.message}"
        raise ToolError(message, code="TM516", hint=error.hint) from error
    if found := _of_api(origin, path, apis, default):
        api, base = found
        below = path[len(base.path) :].removeprefix("/")
        return api, f"/{below}?{query}" if query else f"/{below}"
    bare = _allowed(origin, allow, default)
    if bare is None:
        raise _refused(origin, apis, allow)
    return bare, f"{path or '/'}?{query}" if query else path or "/"


def _relative(target: str, default: Api | None) -> tuple[Api, str]:
    if target.startswith("//") or "\\" in target or ":" in target.partition("/")[0]:
        raise ToolError(
            f"the address {_start(target)!a} is neither a path nor an http(s) URL", code="TM516"
        )
    if default is None:
        raise ToolError(
            f"the path {_start(target)!a} needs an api: this tool declares none",
            code="TM516",
            hint="give the tool an `api`, or call the whole URL of a declared one",
        )
    return default, target


def _of_api(
    origin: str, path: str, apis: Declared, default: Api | None
) -> tuple[Api, BaseUrl] | None:
    """Return the api whose base is the longest one above the path; of equals the tool's own."""
    fitting = [
        (api, base) for api, base in apis
        if base.origin == origin and f"{path}/".startswith(f"{base.path}/")
    ]  # fmt: skip
    return max(fitting, key=lambda pair: (len(pair[1].path), pair[0] is default), default=None)


def _allowed(origin: str, allow: Sequence[str], default: Api | None) -> Api | None:
    """Return a bare api, without auth, for a host that the settings allow."""
    scheme, _, authority = origin.partition("://")
    host = authority if authority.endswith("]") else authority.partition(":")[0]
    if authority.startswith("["):
        host = authority.partition("]")[0] + "]"
    with_port = authority if authority != host else f"{host}:{DEFAULT_PORTS[scheme]}"
    entries = [str(entry).strip().lower() for entry in allow]
    exact = host in entries or with_port in entries
    if not exact and not any(_is_below(host, entry) for entry in entries):
        return None
    return Api(
        name=host,
        home=default.home if default else "",
        at=Location("settings.http_allow"),
        base_url=origin,
        declared={} if exact else {PUBLIC_ONLY: True},
    )


def _is_below(host: str, entry: str) -> bool:
    return entry.startswith("*.") and len(entry) > 2 and host.endswith(entry[1:])


def _refused(origin: str, apis: Declared, allow: Sequence[str]) -> ToolError:
    near = sorted({base.url for _, base in apis if base.origin == origin})
    if near:
        return ToolError(
            f"the address lies outside the base_url of the declared api: {', '.join(near)}",
            code="TM516",
            hint="declare an api whose base_url is above the address",
        )
    known = sorted({base.origin for _, base in apis} | {str(entry) for entry in allow})
    names = ", ".join(known) or "none"
    return ToolError(
        f"host {origin.partition('://')[2]!r} is not allowed; declared are: {names}",
        code="TM516",
        hint="declare it under `apis`, or list it in settings.http_allow",
    )


def _start(text: str) -> str:
    return text.partition("?")[0][:100]
