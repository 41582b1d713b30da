"""How near a request is to recorded ones, and what tells them apart, in words."""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher
from typing import Final

from tm.http.cassette_file import Interaction
from tm.redact import MASK

_SHOWN_CHARS: Final = 300
_SHORT_CHARS: Final = 120
"""An address up to here is shown as it is."""


def is_same(entry: Interaction, method: str, uri: str, sent: str | None) -> bool:
    """Tell whether a request is the recorded one."""
    return (
        entry.method == method
        and (entry.uri == uri or _uri_key(entry.uri) == _uri_key(uri))
        and (entry.sent == sent or body_key(entry.sent) == body_key(sent))
    )


def is_alike(entry: Interaction, method: str, uri: str, sent: str | None) -> bool:
    """Tell whether the request is the recorded one, where `***` in it stands for whatever was sent.

    A replay without the variables that filled constants can't know what they were.
    """
    if entry.method != method or MASK not in f"{uri}{sent}":
        return False
    now, then = _uri_key(uri), _uri_key(entry.uri)
    return (
        _fits("?".join((now[0], *now[1])), "?".join((then[0], *then[1])))
        and (sent is None) == (entry.sent is None)
        and _fits(body_key(sent) or "", body_key(entry.sent) or "")
    )


def _fits(masked: str, text: str) -> bool:
    pattern = re.escape(masked).replace(re.escape(MASK), '[^&?"]*')
    return re.fullmatch(pattern, text) is not None


def _uri_key(uri: str) -> tuple[str, list[str]]:
    route, _, query = uri.partition("?")
    return route, sorted(query.split("&"))


def body_key(sent: str | None) -> str | None:
    """Return a body so that equal JSON is equal, whatever its spaces and order of keys."""
    if not sent or sent[0] not in "{[":
        return sent or None
    try:
        return json.dumps(json.loads(sent), sort_keys=True)
    except (ValueError, RecursionError):
        return sent


def likeness(entry: Interaction, method: str, uri: str, sent: str | None) -> float:
    """Return how near a recorded exchange is to a request, at most 1.75."""
    points = SequenceMatcher(None, entry.uri[:_SHOWN_CHARS], uri[:_SHOWN_CHARS]).ratio()
    points += 0.5 * (entry.method == method)
    return points + 0.25 * (body_key(entry.sent) == body_key(sent))


def difference(near: Interaction, method: str, uri: str, sent: str | None) -> str:
    """Return in which parts a request is unlike a recorded one; empty where in none."""
    parts: list[str] = []
    if near.method != method:
        parts.append("the method")
    if near.uri.partition("?")[0] != uri.partition("?")[0]:
        parts.append("the path")
    elif _uri_key(near.uri) != _uri_key(uri):
        parts.append("the query")
    if body_key(near.sent) != body_key(sent):
        now, then = (_shortened(text) for text in (sent, near.sent))
        parts.append(f"the body ({now} now, {then} recorded)")
    return f", which differs in {' and '.join(parts)}" if parts else ""


def _shortened(text: str | None) -> str:
    if text is None:
        return "none"
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "..."


def told_apart(uri: str, other: str) -> tuple[str, str]:
    """Return two addresses; where they are long, without the parts of their queries both have."""
    if len(uri) <= _SHORT_CHARS:
        return uri, other
    own, others = uri.partition("?")[2].split("&"), other.partition("?")[2].split("&")
    return _without(uri, others), _without(other, own)


def _without(uri: str, shared: list[str]) -> str:
    route, _, query = uri.partition("?")
    parts = query.split("&") if query else []
    kept = [_shortened(part) for part in parts if part not in shared]
    left_out = ["..."] if len(kept) < len(parts) else []
    rest = "&".join([*left_out, *kept])
    return f"{route}?{rest}" if rest else route
