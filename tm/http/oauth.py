"""Access tokens by client credentials (RFC 6749, section 4.4).

What lives here: fetching and keeping tokens. A token belongs to one tenant's api and stays in
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import quote_plus

from tm.errors import ToolError
from tm.http.auth import Secrets, auth_text, basic
from tm.http.bodies import encode_body
from tm.http.decoding import decode_json
from tm.http.display import shown_url
from tm.http.messages import Answer, Call, Transport
from tm.http.pool import TokenCache, TokenKey
from tm.http.urls import base_url
from tm.model import Api, Json

MARGIN_S: Final = 30.0
"""A token is given up this long before it expires: it has to arrive while it is valid."""

DEFAULT_LIFETIME_S: Final = 300.0
MAX_TOKEN_BYTES: Final = 1_000_000
TOO_MANY: Final = 429


class ClientCredentials(NamedTuple):
    """Gives access tokens: kept ones while they are valid, else fetched ones."""

    tenant: str
    transport: Transport
    secrets: Secrets
    cache: TokenCache
    clock: Callable[[], float]

    def token(self, api: Api, fresh: bool = False) -> str:  # noqa: FBT001, FBT002  a callable of two
        """Return the api's access token.

        Args:
            api: with `oauth2_client_credentials`.
            fresh: fetch one, whatever is kept.

        Raises:
            ToolError: TM504 where the token server refuses, TM505 and TM506 where it is not
                reached, TM508 where it answers with something else.
        """
        key = self._key(api)
        token = None if fresh else self.cache.get(key, self.clock())
        if token is None:
            token, lifetime_s = self._fetched(api)
            self.cache.put(key, token, self.clock() + max(lifetime_s - MARGIN_S, lifetime_s / 2))
        self.secrets.redactor.add(token)
        return token

    def _key(self, api: Api) -> TokenKey:
        texts = (self._fill(api, key) for key in ("token_url", "client_id", "client_secret"))
        url, client, secret = texts
        return self.tenant, api.home, api.name, url, client, secret

    def _fill(self, api: Api, key: str) -> str:
        text = auth_text(api, key)
        return self.secrets.fill(text, api.at, is_secret=key == "client_secret")

    def _fetched(self, api: Api) -> tuple[str, float]:
        """Ask the token server, with the credentials in the header, then in the body.

        Servers must take the header (RFC 6749, section 2.3.1); some take only the body, and say so
        with whatever status comes to their mind.
        """
        call = self._call(api)
        answer = self.transport.send(call)
        if 400 <= answer.status < 500 and answer.status != TOO_MANY:
            answer = self.transport.send(self._call(api, in_body=True))
        if answer.status >= 400:
            raise self._refused(api, call, answer)
        return self._read(call, answer)

    def _call(self, api: Api, *, in_body: bool = False) -> Call:
        base = base_url(auth_text(api, "token_url"), self.secrets.expand, api.at, needs_values=True)
        fields = {"grant_type": "client_credentials"}
        if scope := (api.auth or {}).get("scope"):
            words = scope if isinstance(scope, str) else " ".join(str(word) for word in scope)
            fields["scope"] = self.secrets.fill(words, api.at)
        client, secret = self._fill(api, "client_id"), self._fill(api, "client_secret")
        headers = {"accept": "application/json", "accept-encoding": "gzip, deflate"}
        if in_body:
            fields |= {"client_id": client, "client_secret": secret}
        else:
            headers["authorization"] = basic(
                self.secrets, quote_plus(client), quote_plus(secret), api
            )
        payload = encode_body(fields, "form")
        headers["content-type"] = payload.content_type
        url = base.url + (f"?{base.query}" if base.query else "")
        return Call(
            api=_bare(api), base=base, method="POST", url=url,
            shown_url=shown_url(_bare(api), base, url, self.secrets.redactor),
            headers=headers, payload=payload, read_only=True, timeouts=api.timeouts,
            attempts=api.attempts, max_response_bytes=MAX_TOKEN_BYTES, follow_redirects=False,
        )  # fmt: skip

    def _refused(self, api: Api, call: Call, answer: Answer) -> ToolError:
        text = answer.content.decode("utf-8", "replace")
        return ToolError(
            f"the token server of api {api.name!r} refused: {answer.status} from "
            f"POST {call.shown_url}: {self.secrets.redactor.text(text)[:2000] or 'empty body'}",
            code="TM504",
            hint="check client_id and client_secret of the api's auth",
            at=api.at,
        )

    def _read(self, call: Call, answer: Answer) -> tuple[str, float]:
        of = f"POST {call.shown_url}"
        data = decode_json(answer.content, answer.headers.get("content-type", ""), of=of)
        token = data.get("access_token") if isinstance(data, dict) else None
        if not isinstance(token, str) or not token:
            message = f"{of} answered {answer.status} without an 'access_token'"
            raise ToolError(message, code="TM508", at=call.api.at)
        return token, _lifetime(data)


def _lifetime(data: Mapping[str, Json]) -> float:
    try:
        return max(float(data.get("expires_in") or DEFAULT_LIFETIME_S), 0.0)
    except (TypeError, ValueError):
        return DEFAULT_LIFETIME_S


def _bare(api: Api) -> Api:
    """Return an api that stands for the token server: nothing of the api's own is sent there."""
    return Api(
        name=f"{api.name} (token)", home=api.home, at=api.at, base_url="", timeouts=api.timeouts,
        verify=api.verify,
    )  # fmt: skip
