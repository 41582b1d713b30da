"""Requests as people see them: masked URL, headers and body.

What lives here: forms that are made from the declared texts (`Bearer ${ERP_TOKEN}`), so that they
need no secret. What must not: values that fill auth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tm.http.headers import display_name
from tm.http.messages import Call
from tm.http.query import set_parameter
from tm.http.urls import VARIABLE, BaseUrl
from tm.model import Api, Json
from tm.redact import MASK, Redactor

ENCODED_MASK: Final = "%2A%2A%2A"
"""What stands in a URL or form for a variable that has no value where none is needed."""


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
    """Return what the api's auth adds; literal secrets in the config are masked, names are not."""
    auth = api.auth or {}

    def text(key: str) -> str:
        value = str(auth.get(key, ""))
        return value if "${" in value else MASK

    match auth.get("type"):
        case "bearer":
            return AuthForm(header=("Authorization", f"Bearer {text('token')}"))
        case "basic":
            return AuthForm(user=f"{auth.get('username', '')}:{text('password')}")
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
    return redactor.text(base.shown(url)).replace(ENCODED_MASK, MASK)


def shown_headers(call: Call, redactor: Redactor) -> dict[str, str]:
    """Return the headers that config, tool and auth set, secrets as `***`."""
    form = auth_form(call.api)
    headers = {name: _masked(text, redactor) for name, text in headers_without_auth(call)}
    if form.header:
        headers[form.header[0]] = VARIABLE.sub(MASK, form.header[1])
    if form.user:
        headers["Authorization"] = f"Basic {MASK}"
    return headers


def _masked(text: str, redactor: Redactor) -> str:
    return redactor.text(VARIABLE.sub(MASK, text))


def headers_without_auth(call: Call) -> Iterator[tuple[str, str]]:
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
