"""The `auth` of an api, out of an OpenAPI document's security schemes.

What lives here: one requirement at a time. What must not: values; every secret is a variable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tm.exchange.names import variable
from tm.exchange.openapi.document import Document, LeftOutError


class Auth(NamedTuple):
    """What an api needs to be let in.

    Attributes:
        auth: the `auth` field; None: nothing.
        headers: further keys, for apis that want two.
        variables: names of the variables in both.
    """

    auth: Mapping[str, str] | None = None
    headers: tuple[tuple[str, str], ...] = ()
    variables: tuple[str, ...] = ()


def auth_of(document: Document, operation: Mapping[str, Any], api: str) -> Auth:
    """Return the auth of an operation: its own, else the document's; the first that works.

    Args:
        document: with the schemes.
        operation: `security: []` means that it needs none.
        api: its name begins the names of the variables.

    Raises:
        LeftOutError: no way in that a tool can go.
    """
    wanted = operation.get("security", document.data.get("security"))
    if not isinstance(wanted, list) or not wanted or {} in wanted:
        return Auth()
    components = document.part(document.data.get("components"))
    schemes = document.part(components.get("securitySchemes"))
    for requirement in wanted:
        found = _requirement(document, schemes, requirement, api)
        if found is not None:
            return found
    names = sorted({str(name) for part in wanted if isinstance(part, Mapping) for name in part})
    raise LeftOutError(f"security {', '.join(names):.60} can't be had by a tool")


def _requirement(
    document: Document, schemes: Mapping[str, Any], requirement: object, api: str
) -> Auth | None:
    """Return what all schemes of a requirement need together; None where one can't be had."""
    found: Auth | None = Auth()
    for name in requirement if isinstance(requirement, Mapping) else ():
        scheme = document.part(schemes.get(name))
        part = _scheme(scheme, api, requirement[name] if isinstance(requirement, Mapping) else ())
        found = None if part is None or found is None else _together(found, part)
    return found


def _together(first: Auth, second: Auth) -> Auth | None:
    if first.auth is None:
        return second
    if second.auth is None or second.auth["type"] != "header":
        return None
    header = (second.auth["name"], second.auth["value"])
    return Auth(first.auth, (*first.headers, header), first.variables + second.variables)


def _scheme(scheme: Mapping[str, Any], api: str, scopes: object) -> Auth | None:
    kind = str(scheme.get("type", "")).lower()
    if kind == "http" and str(scheme.get("scheme", "")).lower() == "basic":
        user, password = variable(api, "user"), variable(api, "password")
        auth = {"type": "basic", "username": f"${{{user}}}", "password": f"${{{password}}}"}
        return Auth(auth, (), (user, password))
    if kind == "apikey":
        return _key(scheme, api)
    if kind == "oauth2":
        found = _client_credentials(scheme, api, scopes)
        if found is not None:
            return found
    if kind in {"http", "oauth2", "openidconnect"}:
        name = variable(api, "token")
        return Auth({"type": "bearer", "token": f"${{{name}}}"}, (), (name,))
    return None


def _key(scheme: Mapping[str, Any], api: str) -> Auth | None:
    place, header = scheme.get("in"), scheme.get("name")
    if place not in {"header", "query"} or not isinstance(header, str):
        return None
    name = variable(api, "key" if header.lower() == "authorization" else header)
    return Auth({"type": str(place), "name": header, "value": f"${{{name}}}"}, (), (name,))


def _client_credentials(scheme: Mapping[str, Any], api: str, scopes: object) -> Auth | None:
    flows = scheme.get("flows")
    flow = flows.get("clientCredentials") if isinstance(flows, Mapping) else None
    url = flow.get("tokenUrl") if isinstance(flow, Mapping) else None
    if not isinstance(url, str) or not url.startswith("https://"):
        return None
    client, secret = variable(api, "client_id"), variable(api, "client_secret")
    auth = {
        "type": "oauth2_client_credentials",
        "token_url": url,
        "client_id": f"${{{client}}}",
        "client_secret": f"${{{secret}}}",
    }
    if isinstance(scopes, list) and scopes:
        auth["scope"] = " ".join(map(str, scopes))
    return Auth(auth, (), (client, secret))
