"""A tool out of a curl command, as an API's manual shows it or a browser copies it.

What lives here: the steps, and the config that is made of address, headers and query. What must
not: reading the command (`curl_words`), what becomes an argument (`curl_draft`, `curl_body`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tm.config.env import says_secret
from tm.errors import UsageError
from tm.exchange.curl_body import body_of
from tm.exchange.curl_draft import Draft, argument, typed
from tm.exchange.curl_words import CurlRequest, read_curl
from tm.exchange.imported import Imported, config_text
from tm.exchange.names import argument_name, variable
from tm.exchange.secret_texts import holds_secret
from tm.lint.rules.plain_http import other_machine
from tm.model import METHODS, Api, Json

# Headers that the client writes itself, or that belong to the browser that the command is from.
_DROPPED: Final = frozenset({
    "content-type", "content-length", "host", "connection", "user-agent", "accept-encoding",
    "origin", "referer", "pragma", "cache-control", "dnt", "te", "priority",
    "upgrade-insecure-requests",
})  # fmt: skip
_SIGNED: Final = re.compile(r"(?i)^sig$|signature")
_SECRET_HEADER: Final = re.compile(r"(?i)auth|key|token|secret|cookie|session|csrf|password")


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
    draft = Draft(name, read_curl(text))
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


def _read_headers(draft: Draft) -> None:
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
        elif _SECRET_HEADER.search(lower) or says_secret(lower) or holds_secret(value):
            _secret_header(draft, header, value)
        elif not _is_the_clients(lower, value):
            draft.headers[header] = value


def _is_the_clients(lower: str, value: str) -> bool:
    """Tell whether a header is one that any client writes, or the browser's own."""
    if lower == "accept":
        return value in {"*/*", "application/json"}
    return lower in _DROPPED or lower.startswith(("sec-", "x-requested-with"))


def _authorization(draft: Draft, value: str) -> dict[str, str]:
    scheme, _, rest = value.partition(" ")
    if scheme.lower() == "bearer" and rest:
        return {"type": "bearer", "token": draft.secret(rest.strip(), "token")}
    if rest:
        token = f"{scheme} {draft.secret(rest.strip(), 'token')}"
        return {"type": "header", "name": "Authorization", "value": token}
    return {"type": "header", "name": "Authorization", "value": draft.secret(value, "token")}


def _secret_header(draft: Draft, header: str, value: str) -> None:
    filled = draft.secret(value, header.lower().removeprefix("x-"))
    if draft.auth is None:
        draft.auth = {"type": "header", "name": header, "value": filled}
    else:
        draft.headers[header] = filled


def _read_query(draft: Draft) -> None:
    """Take keys out of the query; the rest of it stays as it is, in the path."""
    kept = []
    for key, value in draft.query:
        is_secret = says_secret(key) or _SIGNED.search(key) or holds_secret(value)
        if is_secret and draft.auth is None:
            draft.auth = {"type": "query", "name": key, "value": draft.secret(value, key)}
        elif is_secret:
            draft.constants[key] = draft.secret(value, key)
        else:
            kept.append((key, value))
    draft.query = kept


def _tool(draft: Draft) -> dict[str, Any]:
    method = (draft.request.method or _method(draft.request)).upper()
    if method not in METHODS:
        raise UsageError(f"method {method!a:.20} can't be a tool's", code="TM500")
    body = body_of(draft)
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


def _query(draft: Draft, method: str, *, has_body: bool) -> dict[str, Any]:
    """Return the `query` field: arguments where the request has no body, else constants."""
    fields: dict[str, Any] = {key: {"value": name} for key, name in draft.constants.items()}
    for key in dict.fromkeys(key for key, _ in draft.query):
        values = [value for other, value in draft.query if other == key]
        value: Json = values if len(values) > 1 else values[0]
        if method in {"GET", "HEAD"} and not has_body:
            fields[key] = argument(draft, key, typed(value) if isinstance(value, str) else value)
        else:
            fields[key] = {"value": value}
    return {"query": fields} if fields else {}


def _method(request: CurlRequest) -> str:
    return "POST" if request.data or request.form else "GET"


def _api(draft: Draft) -> dict[str, Any]:
    api: dict[str, Any] = {"base_url": draft.origin}
    if draft.auth is not None and other_machine(draft.origin):
        # Credentials over plain http to another machine are refused: the address is to be checked.
        name = variable(draft.api, "url")
        draft.variables.append(name)
        api["base_url"] = f"${{{name}}}"
    if draft.auth is not None:
        api["auth"] = draft.auth
    if draft.headers:
        api["headers"] = draft.headers
    return api


def _known_api(draft: Draft, apis: Mapping[str, Api]) -> str | None:
    """Return the declared api that this request is of."""
    for name, api in apis.items():
        base = api.base_url.rstrip("/")
        is_same = base == draft.origin and dict(api.headers) == draft.headers
        kinds = (api.auth or {}).get("type"), (draft.auth or {}).get("type")
        if is_same and kinds[0] == kinds[1]:
            return name
    return None


def _new_name(draft: Draft, apis: Mapping[str, Api]) -> str:
    return argument_name(draft.api, apis)
