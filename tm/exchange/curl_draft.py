"""What a curl command becomes, while it is being sorted: address, arguments, secrets.

What lives here: the draft, and how a value becomes an argument. What must not: the order of the
steps (`curl`), the body (`curl_body`).
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from tm.config.env import says_secret
from tm.errors import UsageError
from tm.exchange.curl_words import CurlRequest
from tm.exchange.names import argument_name, slug, variable
from tm.exchange.secret_texts import holds_secret
from tm.model import Json

_VARIABLE: Final = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")


class Draft:
    """A tool and its api as they come together, and the variables that hold what is secret.

    Attributes:
        origin: scheme, host and port, without a path.
        query: pairs as sent, decoded; the data of a GET are among them.
        user: `name:password`; None: the command names none.
        variables: names of environment variables, in order of their first use.
        auth: as in an api's declaration; None: none was found yet.
        constants: secrets of the query beside `auth`, as variables.
        properties: schema of each argument, by name.
        fixture: value of each argument, by name.

    Raises:
        UsageError: TM500, the address is none of http or https.
    """

    def __init__(self, name: str, request: CurlRequest) -> None:
        self.name = name
        self.request = request
        try:
            parts = urlsplit(request.url if "://" in request.url else f"https://{request.url}")
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise _no_address(request.url) from error
        if parts.scheme not in {"http", "https"} or not host or set(host) & set("{}$ "):
            raise _no_address(request.url)
        self.origin = f"{parts.scheme}://{host}" + (f":{port}" if port else "")
        self.path = parts.path or "/"
        if holds_secret(f"{self.origin}{self.path}"):
            raise UsageError(
                "the path of the address holds a secret, and would stand in the file",
                code="TM500",
                hint="tm new tool with --api, whose base_url has ${NAME} in place of that part",
            )
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
        self.constants: dict[str, str] = {}
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


def argument(draft: Draft, key: str, value: Json) -> str:
    """Add an argument with its value, and return its name."""
    name = argument_name(key, draft.properties)
    draft.properties[name] = {**_schema(value), "description": f"The {key}."}
    draft.fixture[name] = _without_secrets(value)
    return name


def _without_secrets(value: Json, key: str = "") -> Json:
    """Return the value of an argument as it may stand in a file."""
    if isinstance(value, dict):
        return {name: _without_secrets(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_without_secrets(part, key) for part in value]
    if isinstance(value, str) and (says_secret(key) or holds_secret(value)):
        return "..."
    return value


def typed(text: str) -> Json:
    """Return a text of a query or a form as the value that it most likely is."""
    if re.fullmatch(r"-?(0|[1-9][0-9]{0,14})", text):
        return int(text)
    return {"true": True, "false": False}.get(text, text)


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
