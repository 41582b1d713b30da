"""A tool out of a curl command, as an API's manual shows it or a browser copies it.

What lives here: the config that is made of the request. What must not: reading the command
(`curl_words`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from tm.config.env import says_secret
from tm.errors import UsageError
from tm.exchange.curl_words import CurlRequest, read_curl
from tm.exchange.imported import Imported, config_text
from tm.exchange.names import argument_name, slug, variable
from tm.model import METHODS, Api, Json

_VARIABLE: Final = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")
# Headers that the client writes itself, or that belong to the browser that the command is from.
_DROPPED: Final = frozenset({
    "content-type", "content-length", "host", "connection", "user-agent", "accept-encoding",
    "origin", "referer", "pragma", "cache-control", "dnt", "te", "priority",
    "upgrade-insecure-requests",
})  # fmt: skip
_SECRET_HEADER: Final = re.compile(r"(?i)auth|key|token|secret|cookie|session|csrf|password")
_FORMATS: Final = {
    "application/x-www-form-urlencoded": "form",
    "multipart/form-data": "multipart",
}


class _Draft:
    """A tool and its api as they come together, and the variables that hold what is secret."""

    def __init__(self, name: str, request: CurlRequest) -> None:
        self.name = name
        self.request = request
        parts = urlsplit(request.url if "://" in request.url else f"https://{request.url}")
        try:
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise _no_address(request.url) from error
        if parts.scheme not in {"http", "https"} or not host or set(host) & set("{}$ "):
            raise _no_address(request.url)
        self.origin = f"{parts.scheme}://{host}" + (f":{port}" if port else "")
        self.path = parts.path or "/"
        self.query = parse_qsl(parts.query, keep_blank_values=True)
        if request.is_get:
            for data in request.data:
                self.query += parse_qsl(data, keep_blank_values=True)
            request.data.clear()
        self.user = request.user or (
            f"{parts.username}:{parts.password or ''}" if parts.username else None
        )
        self.api = slug(host)
        self.variables: list[str] = []
        self.auth: dict[str, str] | None = None
        self.headers: dict[str, str] = {}
        self.properties: dict[str, Any] = {}
        self.fixture: dict[str, Json] = {}

    def secret(self, value: str, *words: str) -> str:
        """Return what stands in the config for a secret: a variable, its own where it is one."""
        own = _VARIABLE.fullmatch(value)
        name = own[1] if own else variable(self.api, *words)
        if name not in self.variables:
            self.variables.append(name)
        return f"${{{name}}}"


def _no_address(url: str) -> UsageError:
    shown = url.split("?", maxsplit=1)[0].rpartition("@")[2]
    return UsageError(f"{shown!a:.80} is no http or https address", code="TM500")


def import_curl(text: str, name: str, apis: Mapping[str, Api]) -> Imported:
    """Return the config for one curl command.

    What the command sends as a body becomes arguments, with its values as `args_fixture`; tokens,
    passwords and keys become variables and are written nowhere.

    Args:
        text: the command, over one or several lines.
        name: of the new tool.
        apis: that the tenant declares; one with the same address and auth is asked.

    Raises:
        UsageError: TM500, the text is no curl command, or one that can't be a tool.
    """
    draft = _Draft(name, read_curl(text))
    _read_headers(draft)
    _read_query(draft)
    tool = _tool(draft)
    api = _known_api(draft, apis)
    declared: dict[str, Any] = {"tools": {name: {**tool, "api": api or _new_name(draft, apis)}}}
    if api is None:
        declared = {"apis": {_new_name(draft, apis): _api(draft)}, **declared}
    notes = [f"arguments: {', '.join(draft.properties)}"] if draft.properties else []
    written = config_text(declared)
    # Those of an api that is declared already are set already.
    variables = tuple(found for found in draft.variables if f"${{{found}}}" in written)
    return Imported({f"tools/{name}.yaml": written}, (name,), variables, tuple(notes))


def _read_headers(draft: _Draft) -> None:
    """Sort the headers: auth, those that every call has, and those that the client writes."""
    if draft.user is not None:
        user, _, password = draft.user.partition(":")
        draft.auth = {
            "type": "basic",
            "username": draft.secret(user, "user"),
            "password": draft.secret(password, "password"),
        }
    for header, value in draft.request.headers:
        lower = header.lower()
        if lower == "authorization" and draft.auth is None:
            draft.auth = _authorization(draft, value)
        elif _SECRET_HEADER.search(lower) or says_secret(lower):
            _secret_header(draft, header, value)
        elif not _is_the_clients(lower, value):
            draft.headers[header] = value


def _is_the_clients(lower: str, value: str) -> bool:
    """Tell whether a header is one that any client writes, or the browser's own."""
    if lower == "accept":
        return value in {"*/*", "application/json"}
    return lower in _DROPPED or lower.startswith(("sec-", "x-requested-with"))


def _authorization(draft: _Draft, value: str) -> dict[str, str]:
    scheme, _, rest = value.partition(" ")
    if scheme.lower() == "bearer" and rest:
        return {"type": "bearer", "token": draft.secret(rest.strip(), "token")}
    if rest:
        token = f"{scheme} {draft.secret(rest.strip(), 'token')}"
        return {"type": "header", "name": "Authorization", "value": token}
    return {"type": "header", "name": "Authorization", "value": draft.secret(value, "token")}


def _secret_header(draft: _Draft, header: str, value: str) -> None:
    filled = draft.secret(value, header.lower().removeprefix("x-"))
    if draft.auth is None:
        draft.auth = {"type": "header", "name": header, "value": filled}
    else:
        draft.headers[header] = filled


def _read_query(draft: _Draft) -> None:
    """Take keys out of the query; the rest of it stays as it is, in the path."""
    kept = []
    for key, value in draft.query:
        if says_secret(key) and draft.auth is None:
            draft.auth = {"type": "query", "name": key, "value": draft.secret(value, key)}
        elif says_secret(key):
            raise UsageError(
                f"the query parameter {key!a:.40} looks like a secret beside another one",
                code="TM500",
                hint="leave one of them out, and add it to the api by hand",
            )
        else:
            kept.append((key, value))
    draft.query = kept


def _tool(draft: _Draft) -> dict[str, Any]:
    method = (draft.request.method or _method(draft.request)).upper()
    if method not in METHODS:
        raise UsageError(f"method {method!a:.20} can't be a tool's", code="TM500")
    body = _body(draft)
    path = _literal(draft.path)
    tool: dict[str, Any] = {
        "description": f"{method} {draft.path}: tell the model here what this does, and when.",
        "parameters": {
            "type": "object",
            "properties": draft.properties,
            **({"required": list(draft.properties)} if draft.properties else {}),
        },
        "method": method,
        "path": path,
        **_query(draft, method, has_body=bool(body)),
        **body,
        "args_fixture": draft.fixture,
    }
    return tool


def _literal(path: str) -> str:
    """Return a path in which nothing is read as an argument."""
    return path.replace("{", "%7B").replace("}", "%7D")


def _query(draft: _Draft, method: str, *, has_body: bool) -> dict[str, Any]:
    """Return the `query` field: arguments where the request has no body, else constants."""
    if not draft.query:
        return {}
    fields: dict[str, Any] = {}
    for key in dict.fromkeys(key for key, _ in draft.query):
        values = [value for other, value in draft.query if other == key]
        value: Json = values if len(values) > 1 else values[0]
        if method in {"GET", "HEAD"} and not has_body:
            fields[key] = _argument(draft, key, _typed(value) if isinstance(value, str) else value)
        else:
            fields[key] = {"value": value}
    return {"query": fields}


def _argument(draft: _Draft, key: str, value: Json) -> str:
    """Add an argument with its value, and return its name."""
    name = argument_name(key, draft.properties)
    draft.properties[name] = {**_schema(value), "description": f"The {key}."}
    draft.fixture[name] = value
    return name


def _typed(text: str) -> Json:
    """Return a text of a query or a form as the value that it most likely is."""
    if re.fullmatch(r"-?(0|[1-9][0-9]{0,14})", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


def _method(request: CurlRequest) -> str:
    return "POST" if request.data or request.form else "GET"


def _body(draft: _Draft) -> dict[str, Any]:
    """Return `body` and `body_format`: an argument for each field of what the command sends."""
    request = draft.request
    if request.form:
        return _fields(draft, request.form, "multipart")
    if not request.data:
        return {}
    text = "&".join(request.data)
    kind = _content_type(request)
    if kind in _FORMATS or (kind == "" and not text.lstrip().startswith(("{", "["))):
        pairs = parse_qsl(text, keep_blank_values=True)
        return _fields(draft, pairs, _FORMATS.get(kind, "form"))
    return _json_body(draft, text)


def _content_type(request: CurlRequest) -> str:
    if request.is_json:
        return "application/json"
    given = [value for name, value in request.headers if name.lower() == "content-type"]
    return given[0].partition(";")[0].strip().lower() if given else ""


def _fields(draft: _Draft, pairs: list[tuple[str, str]], body_format: str) -> dict[str, Any]:
    body: dict[str, Any] = {}
    for key, value in pairs:
        if value.startswith("@"):
            raise UsageError(f"field {key!a:.40} is a file; tools send texts", code="TM500")
        if says_secret(key):
            body[key] = {"value": draft.secret(value, key)}
        else:
            body[key] = _argument(draft, key, _typed(value))
    return {"body": body, "body_format": body_format}


def _json_body(draft: _Draft, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"the body of the curl command is no JSON: {error}", code="TM500"
        ) from error
    if not isinstance(value, dict):
        kind = type(value).__name__
        raise UsageError(f"the body is a {kind}; a tool sends a JSON object", code="TM500")
    body: dict[str, Any] = {}
    for key, part in value.items():
        if says_secret(key) and isinstance(part, str):
            body[key] = {"value": draft.secret(part, key)}
        else:
            body[key] = _argument(draft, key, part)
    return {"body": body}


def _schema(value: Json) -> dict[str, Any]:
    """Return the schema of values like this one."""
    if isinstance(value, dict):
        parts = {
            key: {**_schema(part), "description": f"The {key}."} for key, part in value.items()
        }
        return {"type": "object", "properties": parts}
    if isinstance(value, list):
        return {"type": "array", **({"items": _schema(value[0])} if value else {})}
    if value is None:
        return {"type": ["string", "null"]}
    kinds = {bool: "boolean", int: "integer", float: "number"}
    return {"type": kinds.get(type(value), "string")}


def _api(draft: _Draft) -> dict[str, Any]:
    api: dict[str, Any] = {"base_url": draft.origin}
    if draft.auth is not None and _is_open(draft.origin):
        # Credentials over plain http to another machine are refused: the address is to be checked.
        name = variable(draft.api, "url")
        draft.variables.append(name)
        api["base_url"] = f"${{{name}}}"
    if draft.auth is not None:
        api["auth"] = draft.auth
    if draft.headers:
        api["headers"] = draft.headers
    return api


def _is_open(origin: str) -> bool:
    host = urlsplit(origin).hostname or ""
    is_here = host in {"localhost", "::1"} or host.startswith("127.")
    return origin.startswith("http://") and not is_here


def _known_api(draft: _Draft, apis: Mapping[str, Api]) -> str | None:
    """Return the declared api that this request is of."""
    for name, api in apis.items():
        base = api.base_url.rstrip("/")
        is_same = base == draft.origin and dict(api.headers) == draft.headers
        kinds = (api.auth or {}).get("type"), (draft.auth or {}).get("type")
        if is_same and kinds[0] == kinds[1]:
            return name
    return None


def _new_name(draft: _Draft, apis: Mapping[str, Api]) -> str:
    return argument_name(draft.api, apis)
