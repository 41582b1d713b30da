"""URIs, IRIs and URI templates, as the formats of JSON Schema want them."""

from __future__ import annotations

import re
from functools import cache

from tm.schema.hosts import is_ipv6

_UNRESERVED = r"A-Za-z0-9._~\-"
_SUB = "!$&'()*+,;="
# RFC 3987, section 2.2: what an IRI has beyond a URI.
_UCS = "\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U000efffd"


@cache
def _reference(extra: str) -> re.Pattern[str]:
    pchar = rf"(?:[{_UNRESERVED}{extra}{_SUB}:@]|%[0-9A-Fa-f]{{2}})"
    name = rf"(?:[{_UNRESERVED}{extra}{_SUB}]|%[0-9A-Fa-f]{{2}})"
    private = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd" if extra else ""
    tail = rf"(?:{pchar}|[/?{private}])*"
    return re.compile(
        r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?"
        rf"(?://(?:(?:{name}|:)*@)?(?:\[(?P<literal>[^\]]*)\]|{name}*)(?::[0-9]*)?(?=[/?#]|\Z)|(?!//))"
        rf"(?P<path>(?:{pchar}|/)*)(?:\?{tail})?(?:#(?:{pchar}|[/?])*)?"
    )


_FUTURE = rf"[vV][0-9A-Fa-f]+\.[{_UNRESERVED}{_SUB}:]+"
_VARIABLE = r"(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*(?::[1-9][0-9]{0,3}|\*)?"
_EXPRESSION = rf"\{{[+#./;?&=,!@|]?{_VARIABLE}(?:,{_VARIABLE})*\}}"
_TEMPLATE = rf"""(?:[^\x00-\x20"'%<>\\^`{{|}}]|%[0-9A-Fa-f]{{2}}|{_EXPRESSION})*"""


def _matches(pattern: re.Pattern[str], text: str, *, absolute: bool) -> bool:
    match = pattern.fullmatch(text)
    if match is None or (absolute and match["scheme"] is None):
        return False
    literal = match["literal"]
    if literal is not None and not is_ipv6(literal) and re.fullmatch(_FUTURE, literal) is None:
        return False
    # Without a scheme a colon in the first segment would make one (RFC 3986, section 4.2).
    first = match["path"].split("/")[0]
    return match["scheme"] is not None or text.startswith("//") or ":" not in first


def is_uri(text: str) -> bool:
    """Tell whether a text is an absolute URI (RFC 3986)."""
    return _matches(_reference(""), text, absolute=True)


def is_uri_reference(text: str) -> bool:
    """Tell whether a text is a URI or a relative reference."""
    return _matches(_reference(""), text, absolute=False)


def is_iri(text: str) -> bool:
    """Tell whether a text is an absolute IRI (RFC 3987)."""
    return _matches(_reference(_UCS), text, absolute=True)


def is_iri_reference(text: str) -> bool:
    """Tell whether a text is an IRI or a relative reference."""
    return _matches(_reference(_UCS), text, absolute=False)


def is_uri_template(text: str) -> bool:
    """Tell whether a text is a URI template (RFC 6570)."""
    return re.fullmatch(_TEMPLATE, text, re.ASCII) is not None
