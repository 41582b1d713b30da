"""URLs: an api's base, the join with path and query, and the comparison of origins.

What lives here: pure functions on text. A URL is made of parts that were checked one by one, never
of texts glued together: `https://api.example` + `@evil.example` is another host.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from tm.errors import Location, ToolError
from tm.http.query import write_query
from tm.model import Json, QueryArrays

VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
DEFAULT_PORTS: Final = {"http": 80, "https": 443}

# Patterns that only odd texts need are compiled when one comes: each costs every run's start.
_INVISIBLE: Final = r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
_HOST_CHARS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-._")
_IPV6_CHARS: Final = frozenset("0123456789abcdef:.")
_KEPT_IN_PATH: Final = "/!$&'()*+,;=:@~%"
_KEPT_IN_QUERY: Final = "/?!$&'()*+,;=:@~%[]"


class BaseUrl(NamedTuple):
    """An api's `base_url`, taken apart.

    Attributes:
        url: scheme, host, port and path without a slash at its end; variables filled.
        origin: `scheme://host[:port]`, lower case, without a default port.
        path: empty, or begins with a slash and ends without one.
        query: without `?`.
        live, declared: where the declared text has variables, the part of `url` that they fill and
            the text that stands there in the config; both empty otherwise.
        is_known: every variable has a value. Otherwise stand-ins fill them.
    """

    url: str
    origin: str
    path: str
    query: str
    live: str = ""
    declared: str = ""
    is_known: bool = True

    def declare(self, text: str) -> str:
        """Return the text with the api's address as its config names it (`${ERP_URL}`)."""
        if not self.live or self.live not in text:
            return text
        # Another port or a longer host name is another address.
        return re.sub(re.escape(self.live) + r"(?![\w.:@-])", lambda _: self.declared, text)

    def fill(self, text: str) -> str:
        """Undo `declare`."""
        return text.replace(self.declared, self.live) if self.declared else text

    def shown(self, text: str) -> str:
        """Return the text without stand-ins: variables that have no value stay `${NAME}`."""
        return text if self.is_known else self.declare(text)


def base_url(
    text: str, expand: Callable[[str, Location], str], at: Location, *, needs_values: bool
) -> BaseUrl:
    """Return an api's declared `base_url`, filled and taken apart.

    Args:
        text: as declared, may hold `${NAME}`.
        expand: fills `${NAME}`; raises ToolError for an unknown one.
        at: place of the api, for errors.
        needs_values: False: an unknown variable gets a stand-in (stubs and replay send nothing).

    Raises:
        ToolError: TM503 for an unknown variable, TM506 for an address that can't be used.
    """
    if "${" not in text:
        return _parse_base(text, at)
    values: dict[str, str | None] = {}
    for name in VARIABLE.findall(text):
        try:
            values[name] = expand(f"${{{name}}}", at)
        except ToolError:
            if needs_values:
                raise
            values[name] = None
    return _with_variables(text, values, at)


def _with_variables(text: str, values: Mapping[str, str | None], at: Location) -> BaseUrl:
    def filled(match: re.Match[str]) -> str:
        value = values[match[1]]
        if value is not None:
            # A slash on either side of the seam, or on both, means the same.
            return value.rstrip("/") if text.startswith("/", match.end()) else value
        stand_in = match[1].lower().replace("_", "-") + ".invalid"
        return stand_in if match.start() else f"https://{stand_in}"

    base = _parse_base(VARIABLE.sub(filled, text), at)
    first = VARIABLE.match(text)
    if first:
        live, declared = filled(first).partition("?")[0].rstrip("/"), first[0]
    else:
        live, declared = base.url, text.partition("?")[0].rstrip("/")
    return BaseUrl(
        base.url, base.origin, base.path, base.query, live, declared,
        is_known=None not in values.values(),
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _parse_base(text: str, at: Location) -> BaseUrl:
    url, _, query = text.strip().partition("?")
    try:
        origin, path = split_origin(url)
        checked = encode_path(path.rstrip("/"))
        encoded = encode_query(query)
    except ToolError as error:
        message = f"base_url {_without_userinfo(text)!r} can't be used: {error.message}"
        raise ToolError(message, code="TM506", at=at) from error
    return BaseUrl(origin + checked, origin, checked, encoded)


def _without_userinfo(text: str) -> str:
    return re.sub(r"//[^/?#]*@", "//***@", text)


def split_origin(url: str) -> tuple[str, str]:
    """Return a URL's origin in its normal form, and what follows it.

    Raises:
        ToolError: TM501 for another scheme than http and https, for user names, passwords and
            characters that have no place in a host.
    """
    if has_invisible(url) or "\\" in url:
        raise ToolError("it has control characters or backslashes", code="TM501")
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ToolError("its host is not well-formed", code="TM501") from error
    if parts.scheme not in DEFAULT_PORTS:
        raise ToolError("it does not begin with https:// or http://", code="TM501")
    if "@" in parts.netloc:
        hint = "use `auth: {type: basic, username, password}`"
        raise ToolError("it has a user name or password in it", code="TM501", hint=hint)
    rest = url[url.index("//") + 2 + len(parts.netloc) :]
    return f"{parts.scheme}://{_authority(parts.netloc, parts.scheme)}", rest


def _authority(netloc: str, scheme: str) -> str:
    """Return host and port in their normal form, without the scheme's own port."""
    if netloc.startswith("["):
        host, _, rest = netloc.partition("]")
        name, port = host[1:].lower(), rest.removeprefix(":")
        is_host = bool(name) and _IPV6_CHARS.issuperset(name) and (not rest or rest[0] == ":")
        host = f"[{name}]"
    else:
        host, _, port = netloc.partition(":")
        host = _host(host)
        is_host = bool(host) and _HOST_CHARS.issuperset(host)
    if not is_host:
        raise ToolError(f"{netloc!a} is no host name", code="TM501")
    if not port:
        return host
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise ToolError(f"{port!a} is no port", code="TM501")
    return host if int(port) == DEFAULT_PORTS[scheme] else f"{host}:{int(port)}"


def _host(host: str) -> str:
    if host.isascii():
        return host.lower()
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def is_url(text: str) -> bool:
    """Whether the text is a whole URL and no path."""
    return "://" in text and re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text) is not None


def has_invisible(text: str) -> bool:
    """Whether a text has control or bidirectional characters, which no part of a URL may have."""
    if text.isascii():
        return not text.isprintable()
    return re.search(_INVISIBLE, text) is not None


def encode_path(path: str) -> str:
    """Return a path with what is not allowed in it percent-encoded; `%XX` stays.

    Raises:
        ToolError: TM501 for dot segments, in whatever spelling, control characters, backslashes and
            fragments: servers and proxies read them differently.
    """
    if has_invisible(path) or "\\" in path or "#" in path:
        raise ToolError(f"path {path!a} has control characters, a backslash or a '#'", code="TM501")
    if "." in path or "%2" in path:
        for segment in path.split("/"):
            if unquote(segment).partition(";")[0] in {".", ".."}:
                raise ToolError(f"path {path!a} has the dot segment {segment!a}", code="TM501")
    return _encoded(path, _KEPT_IN_PATH)


def _encoded(text: str, kept: str) -> str:
    if "%" in text:
        text = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return quote(text, safe=kept, errors="replace")


def encode_query(query: str) -> str:
    """Return a query text with what is not allowed in it percent-encoded; `%XX` stays.

    Raises:
        ToolError: TM501 for control characters and fragments.
    """
    if not query:
        return ""
    if has_invisible(query) or "#" in query:
        raise ToolError(f"query {query!a} has control characters or a '#'", code="TM501")
    return _encoded(query, _KEPT_IN_QUERY)


def join(base: BaseUrl, path: str, query: Mapping[str, Json], arrays: QueryArrays) -> str:
    """Return the whole URL of a request.

    Args:
        base: the api's.
        path: relative, percent-encoded where it holds values; may have a query, which is kept.
        query: added at the end.
        arrays: how lists are written.

    Raises:
        ToolError: TM501 for a path that would leave the base, or a value that fits no query.
    """
    route, _, own = path.partition("?")
    if is_url(route) or route.startswith(("//", "@", "\\")):
        raise ToolError(
            f"path {path!a} names another host; paths are relative to the api's base_url",
            code="TM501",
        )
    encoded = encode_path(route.removeprefix("/"))
    url = f"{base.url}/{encoded}" if encoded or route or not base.path else base.url
    queries = [base.query, encode_query(own), write_query(query, arrays)]
    text = "&".join(part for part in queries if part)
    return f"{url}?{text}" if text else url


def follow(url: str, location: str) -> str:
    """Return the absolute URL that a `Location` or `Link` header means, without its fragment.

    Raises:
        ToolError: TM501 where it is none that can be used.
    """
    try:
        target = urljoin(url, location.strip().partition("#")[0])
    except ValueError as error:
        raise ToolError("its host is not well-formed", code="TM501") from error
    origin, rest = split_origin(target)
    route, _, query = rest.partition("?")
    encoded = encode_query(query)
    return origin + (encode_path(route) or "/") + (f"?{encoded}" if encoded else "")


def follow_within(url: str, link: str) -> str | None:
    """Return the URL that a link on a page means, or None where it leads to another origin."""
    try:
        target = follow(url, link)
    except ToolError:
        return None
    return target if split_origin(target)[0] == split_origin(url)[0] else None
