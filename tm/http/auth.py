"""Auth: the layer that fills secrets in, right above the network.

What lives here: what each `auth.type` adds. Above this layer no request holds a secret of its api.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

from tm.errors import ConfigError, Location, ToolError, did_you_mean
from tm.http.headers import DEFAULTS, header_value
from tm.http.messages import Answer, Call, Transport
from tm.http.query import set_parameter
from tm.http.urls import VARIABLE
from tm.model import Api
from tm.redact import Redactor

TYPES = ("bearer", "basic", "header", "query", "oauth2_client_credentials")

Expand = Callable[[str, Location], str]


class Secrets(NamedTuple):
    """Fills `${NAME}`, and has every value that it filled in masked from then on."""

    expand: Expand
    redactor: Redactor

    def fill(self, text: object, at: Location, *, is_secret: bool = False) -> str:
        """Return the text, filled.

        Args:
            text: as declared.
            at: its place, for errors.
            is_secret: a text without variables is a secret too (a token written into the config).

        Raises:
            ToolError: TM503, from `expand`, for an unknown variable.
        """
        declared = str(text)
        if "${" not in declared:
            if is_secret:
                self.redactor.add(declared)
            return declared

        def value(match: re.Match[str]) -> str:
            filled = self.expand(match[0], at)
            self.redactor.add(filled)
            return filled

        if "${" in VARIABLE.sub("", declared):
            return self.expand(declared, at)  # malformed: its words are the config's to find
        return VARIABLE.sub(value, declared)


class Authorized:
    """Adds the api's headers and its auth, then sends."""

    __slots__ = ("_inner", "_secrets", "_token")

    def __init__(
        self, inner: Transport, secrets: Secrets, token: Callable[[Api, bool], str]
    ) -> None:
        """Wrap a transport.

        Args:
            inner: sends what has all its secrets.
            secrets: fills them in.
            token: gives the access token of an api with client credentials; with True a fresh one.
        """
        self._inner = inner
        self._secrets = secrets
        self._token = token

    def send(self, call: Call) -> Answer:
        """Send with auth; a token that the API no longer takes is fetched again, once."""
        answer = self._inner.send(self._authorized(call, fresh=False))
        auth = call.api.auth
        if answer.status == 401 and auth and auth.get("type") == "oauth2_client_credentials":
            return self._inner.send(self._authorized(call, fresh=True))
        return answer

    def _authorized(self, call: Call, *, fresh: bool) -> Call:
        api = call.api
        headers = dict(DEFAULTS)
        for name, text in api.headers.items():
            if text is not None:
                headers[name.lower()] = header_value(name, self._secrets.fill(text, api.at))
        if call.payload:
            headers["content-type"] = call.payload.content_type
        headers.update(call.headers)
        url = call.url
        if api.auth is None:
            return call._replace(headers=headers)
        if api.auth.get("type") == "query":
            value = self._fill(api, "value")
            url = set_parameter(url, self._text(api, "name"), quote(value, safe=""))
        else:
            name, value = self._header(api, api.auth, fresh=fresh)
            headers[name.lower()] = header_value(name, value)
        return call._replace(headers=headers, url=url)

    def _header(self, api: Api, auth: Mapping[str, Any], *, fresh: bool) -> tuple[str, str]:
        kind = auth.get("type")
        if kind == "bearer":
            return "Authorization", f"Bearer {self._fill(api, 'token')}"
        if kind == "basic":
            pair = basic(
                self._secrets, self._text(api, "username"), self._text(api, "password"), api
            )
            return "Authorization", pair
        if kind == "header":
            return self._text(api, "name"), self._fill(api, "value")
        if kind == "oauth2_client_credentials":
            return "Authorization", f"Bearer {self._token(api, fresh)}"
        nearest = did_you_mean(str(kind), TYPES)
        raise ConfigError(
            f"api {api.name!r} has the unknown auth type {kind!r}{nearest or ': known are '}"
            + ("" if nearest else ", ".join(TYPES)),
            code="TM007",
            at=api.at,
        )

    def _fill(self, api: Api, key: str) -> str:
        return self._secrets.fill(self._text(api, key), api.at, is_secret=True)

    def _text(self, api: Api, key: str) -> str:
        return auth_text(api, key)


def auth_text(api: Api, key: str) -> str:
    """Return a text of the api's auth as declared.

    Raises:
        ConfigError: where it is missing.
    """
    value = (api.auth or {}).get(key)
    if value is None or value == "":
        raise ConfigError(f"the auth of api {api.name!r} has no {key!r}", code="TM007", at=api.at)
    return str(value)


def basic(secrets: Secrets, username: str, password: str, api: Api) -> str:
    """Return the value of a basic `Authorization` header, in UTF-8 (RFC 7617).

    Raises:
        ToolError: TM503, the username has a colon, which would end it.
    """
    user = secrets.fill(username, api.at)
    pair = f"{user}:{secrets.fill(password, api.at, is_secret=True)}"
    if ":" in user:
        raise ToolError(f"the username of api {api.name!r} has a colon", code="TM503", at=api.at)
    encoded = b64encode(pair.encode()).decode()
    secrets.redactor.add(encoded)
    return f"Basic {encoded}"
