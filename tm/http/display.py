"""Requests as people see them: masked URL and headers, and the curl command.

What lives here: forms that are made from the declared texts (`Bearer ${ERP_TOKEN}`), so that they
need no secret. What must not: values that fill auth.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Final, NamedTuple

from tm.http.headers import display_name
from tm.http.messages import Call
from tm.http.query import set_parameter
from tm.http.urls import VARIABLE, BaseUrl
from tm.model import Api, Json
from tm.redact import MASK, Redactor

_PLAIN: Final = r"[\w :/.,?&=%@+*-]*"


class AuthForm(NamedTuple):
    """What an api's auth adds to a request, with `${NAME}` for secrets.

    Attributes:
        header: name and text, or None.
        parameter: of the query, name and text, or None.
        user: `name:password` of basic auth, or None.
    """

    header: tuple[str, str] | None = None
    parameter: tuple[str, str] | None = None
    user: str | None = None


def auth_form(api: Api) -> AuthForm:
    """Return what the api's auth adds; literal secrets in the config are masked."""
    auth = api.auth or {}

    def text(key: str) -> str:
        value = str(auth.get(key, ""))
        return value if "${" in value else MASK

    match auth.get("type"):
        case "bearer":
            return AuthForm(header=("Authorization", f"Bearer {text('token')}"))
        case "basic":
            return AuthForm(user=f"{text('username')}:{text('password')}")
        case "header":
            return AuthForm(header=(str(auth.get("name")), text("value")))
        case "query":
            return AuthForm(parameter=(str(auth.get("name")), text("value")))
        case "oauth2_client_credentials":
            name = re.sub(r"\W", "_", api.name, flags=re.ASCII).upper()
            return AuthForm(header=("Authorization", f"Bearer ${{{name}_ACCESS_TOKEN}}"))
        case _:
            return AuthForm()


def shown_url(api: Api, base: BaseUrl, url: str, redactor: Redactor) -> str:
    """Return a request's URL, masked, with what auth adds to its query as `***`."""
    if api.auth is not None and api.auth.get("type") == "query":
        url = set_parameter(url, str(api.auth.get("name")), MASK)
    return redactor.text(base.shown(url))


def shown_headers(call: Call, redactor: Redactor) -> dict[str, str]:
    """Return the headers that config, tool and auth set, secrets as `***`."""
    form = auth_form(call.api)
    headers = {name: _masked(text, redactor) for name, text in _headers(call)}
    if form.header:
        headers[form.header[0]] = VARIABLE.sub(MASK, form.header[1])
    if form.user:
        headers["Authorization"] = f"Basic {MASK}"
    return headers


def _masked(text: str, redactor: Redactor) -> str:
    return redactor.text(VARIABLE.sub(MASK, text))


def _headers(call: Call) -> Iterator[tuple[str, str]]:
    """Yield the headers without auth: the api's as declared, those of the tool, the body's type."""
    for name, text in call.api.headers.items():
        if text is not None and name.lower() not in call.headers:
            yield name, str(text)
    for lower, text in call.headers.items():
        yield display_name(lower), text
    if call.payload and "content-type" not in call.headers:
        yield "Content-Type", call.payload.content_type


def shown_body(call: Call, redactor: Redactor) -> Json:
    """Return the body, masked: an object for JSON, else text; None where there is none."""
    return None if call.payload is None else redactor.json(call.payload.shown)


def curl(call: Call, redactor: Redactor) -> str:
    """Return the request as a curl command for POSIX shells, secrets as `${NAME}`."""
    form = auth_form(call.api)
    parts = ["curl", *_method(call)]
    if form.user:
        parts += ["-u", _quoted(form.user)]
    if form.parameter:
        parts += ["--url-query", _quoted("=".join(form.parameter))]
    for name, text in _headers(call):
        if not (call.payload and call.payload.fields and name == "Content-Type"):
            parts += ["-H", _header(call, name, text, redactor)]
    if form.header:
        parts += ["-H", _quoted(": ".join(form.header))]
    parts += _data(call, redactor)
    # A variable stands in the shell too; everything else of a URL is plain text.
    declared = call.base.declare(call.url)
    return " ".join([*parts, _quoted(redactor.text(declared))])


def _header(call: Call, name: str, text: str, redactor: Redactor) -> str:
    """Quote a header; only the config's own texts have variables, never those of arguments."""
    if call.api.headers.get(name) == text:
        return _quoted(f"{name}: {redactor.text(text)}")
    return shlex.quote(redactor.text(f"{name}: {text}"))


def _method(call: Call) -> list[str]:
    if call.method == "HEAD":
        return ["-I"]
    return [] if call.method == "GET" and call.payload is None else ["-X", call.method]


def _data(call: Call, redactor: Redactor) -> list[str]:
    payload = call.payload
    if payload is None:
        return []
    if payload.fields:
        texts = [redactor.text(f"{name}={value}") for name, value in payload.fields]
        return [part for text in texts for part in ("--form-string", shlex.quote(text))]
    return ["--data-raw", shlex.quote(redactor.text(payload.content.decode("utf-8", "replace")))]


def _quoted(text: str) -> str:
    """Quote for a POSIX shell so that `${NAME}` is filled by the shell and nothing else is."""
    if not VARIABLE.search(text):
        return shlex.quote(text)
    if re.fullmatch(_PLAIN, VARIABLE.sub("", text), re.ASCII):
        return f'"{text}"'
    pieces: list[str] = []
    end = 0
    for match in VARIABLE.finditer(text):
        pieces += [text[end : match.start()], f'"{match[0]}"']
        end = match.end()
    pieces.append(text[end:])
    return "".join(p if i % 2 else shlex.quote(p) for i, p in enumerate(pieces) if p)
