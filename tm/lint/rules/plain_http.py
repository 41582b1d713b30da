"""TM311: credentials that travel over plain http to another machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.config.source import KeyPath
from tm.lint.rule import Hit, Rule, Subject

_URL: Final = re.compile(r"(?i)http://(?:[^/?#]*@)?(?P<host>\[[^\]]*\]|[^/?#:@]*)")
_THIS_MACHINE: Final = re.compile(
    r"(?i)localhost\.?|.*\.localhost\.?|127(?:\.\d+){0,3}|\[(?:::1|0:0:0:0:0:0:0:1)\]|0\.0\.0\.0|\[::\]"
)
_TELLS: Final = re.compile(
    r"(?i)authorization|cookie|token|secret|passw|(?:api|access|auth)[-_]?key|credential"
)
_VARIABLE: Final = re.compile(r"(?i)\$\{[^}]*(?:key|token|secret|password|credential)[^}]*\}")
_HELP = "use https; a private authority is named with verify"


def check_api(subject: Subject) -> Iterator[Hit]:
    """Yield a hit where an api with credentials is not reached by https."""
    own = subject.declared
    if own is None or not isinstance(own.value, Mapping):
        return
    base, auth = own.value.get("base_url"), own.value.get("auth")
    what = _credentials(own.value, auth)
    if what and (host := other_machine(base)):
        words = f"api '{own.name}' sends {what} to {host} over plain http"
        yield Hit(own.locate("base_url"), words, _HELP)
    url = auth.get("token_url") if isinstance(auth, Mapping) else None
    if host := other_machine(url):
        words = f"api '{own.name}' sends its client_secret to {host} over plain http"
        yield Hit(own.locate("auth", "token_url"), words, _HELP)


def _credentials(value: Mapping[str, Any], auth: object) -> str | None:
    """Return what is secret in an api's requests, in words; None for nothing."""
    if isinstance(auth, Mapping) and auth:
        return "its credentials"
    if isinstance(value.get("api_key"), str):
        return "its api_key"
    headers = value.get("headers")
    for name, side in headers.items() if isinstance(headers, Mapping) else ():
        if _TELLS.search(str(name)) or (isinstance(side, str) and _VARIABLE.search(side)):
            return f"the header {name!s:.40}"
    url = str(value.get("base_url"))
    if re.match(r"(?i)http://[^/?#]*:[^/?#]*@", url) or _VARIABLE.search(url.partition("?")[2]):
        return "the credentials in base_url"
    return None


def other_machine(url: object) -> str | None:
    """Return the host of a plain http URL; None for https, this machine, and what is not known.

    An import asks it too: what it writes must not be what this rule finds.
    """
    match = _URL.match(url.strip()) if isinstance(url, str) else None
    if match is None or not match["host"] or "$" in match["host"]:
        return None
    return None if _THIS_MACHINE.fullmatch(match["host"]) else match["host"]


def check_home(subject: Subject) -> Iterator[Hit]:
    """Yield a hit for a model server with a key that is not reached by https."""
    for declared in subject.home.declarations("settings"):
        providers = declared.value if declared.name == "providers" else None
        for name, value in providers.items() if isinstance(providers, Mapping) else ():
            what = _credentials(value, None) if isinstance(value, Mapping) else None
            if what and (host := other_machine(value.get("base_url"))):
                keys: KeyPath = (name, "base_url")
                words = f"provider '{name}' gets {what} at {host} over plain http"
                yield Hit(declared.locate(*keys), words, _HELP)


API_RULE = Rule("TM311", "api", check_api)
HOME_RULE = Rule("TM311", "home", check_home)
