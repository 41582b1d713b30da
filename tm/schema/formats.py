"""The formats of JSON Schema, in plain Python.

jsonschema checks only those whose extra libraries are installed and passes the rest in silence;
here every format of the 2020-12 vocabulary is checked. Sources: RFC 3339 (dates), RFC 5321 and
6531 (mail), RFC 1123 and 5891 (hosts), RFC 3986, 3987 and 6570 (URIs), RFC 6901 (pointers).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final
from unicodedata import normalize

from tm.schema import hosts, uris

# Texts, not compiled patterns: compiling them all would cost more than most runs need.
_DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_TIME = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[zZ]|([+-])([0-9]{2}):([0-9]{2}))"
_DURATION = (
    r"P(?!\Z)(?:[0-9]+W|"
    r"(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
    r"(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)"
)
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_POINTER = r"(?:/(?:[^~/]|~[01])*)*"
_RELATIVE_POINTER = r"(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)"
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = rf'{_ATOM}(?:\.{_ATOM})*|"(?:[ !#-\[\]-~]|\\[ -~])*"'
_IDN_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+"
_IDN_TEXT = r'"(?:[ !#-\[\]-~\x80-\U0010ffff]|\\[ -~\x80-\U0010ffff])*"'
_IDN_LOCAL = rf"{_IDN_ATOM}(?:\.{_IDN_ATOM})*|{_IDN_TEXT}"
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _is_date(text: str) -> bool:
    match = re.fullmatch(_DATE, text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] + leap


def _is_time(text: str) -> bool:
    match = re.fullmatch(_TIME, text)
    if match is None:
        return False
    hour, minute, second = (int(part) for part in match.groups()[:3])
    sign, off_hour, off_minute = match.groups()[3:]
    offset = int(off_hour or 0) * 60 + int(off_minute or 0)
    if hour > 23 or minute > 59 or int(off_hour or 0) > 23 or int(off_minute or 0) > 59:
        return False
    if second < 60:
        return True
    # A leap second is the last of a UTC day.
    utc = hour * 60 + minute + (offset if sign == "-" else -offset)
    return second == 60 and utc % 1440 == 1439


def _is_date_time(text: str) -> bool:
    return len(text) > 11 and text[10] in "Tt" and _is_date(text[:10]) and _is_time(text[11:])


def _is_email(text: str, local: str = _LOCAL, *, idn: bool = False) -> bool:
    name, at, domain = text.rpartition("@")
    if not at or len(name.encode()) > 64 or re.fullmatch(local, name) is None:
        return False
    if domain.startswith("[") and domain.endswith("]"):
        literal = domain[1:-1]
        if literal[:5].lower() == "ipv6:":
            return hosts.is_ipv6(literal[5:])
        return hosts.is_ipv4(literal)
    return hosts.is_idn_hostname(normalize("NFC", domain)) if idn else hosts.is_hostname(domain)


def _is_regex(text: str) -> bool:
    # \Z and \A are Python's anchors; ECMA 262, whose patterns JSON Schema has, knows neither.
    if re.search(r"(?<!\\)(?:\\\\)*\\[ZAa]", text):
        return False
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


CHECKERS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": _is_date,
    "time": _is_time,
    "date-time": _is_date_time,
    "duration": lambda text: re.fullmatch(_DURATION, text) is not None,
    "email": _is_email,
    "idn-email": lambda text: _is_email(text, _IDN_LOCAL, idn=True),
    "hostname": hosts.is_hostname,
    "idn-hostname": hosts.is_idn_hostname,
    "ipv4": hosts.is_ipv4,
    "ipv6": hosts.is_ipv6,
    "uri": uris.is_uri,
    "uri-reference": uris.is_uri_reference,
    "iri": uris.is_iri,
    "iri-reference": uris.is_iri_reference,
    "uri-template": uris.is_uri_template,
    "uuid": lambda text: re.fullmatch(_UUID, text) is not None,
    "json-pointer": lambda text: re.fullmatch(_POINTER, text) is not None,
    "relative-json-pointer": lambda text: re.fullmatch(_RELATIVE_POINTER, text) is not None,
    "regex": _is_regex,
}
"""Format to its check; a format that is not here is only a note."""

EXAMPLES: Final[Mapping[str, str]] = {
    "date": "2026-05-04",
    "time": "14:30:00Z",
    "date-time": "2026-05-04T14:30:00Z",
    "duration": "P1DT12H",
    "email": "erika@example.com",
    "idn-email": "jörg@example.com",
    "hostname": "shop.example.com",
    "idn-hostname": "bücher.example.com",
    "ipv4": "192.0.2.7",
    "ipv6": "2001:db8::7",
    "uri": "https://shop.example.com/orders/7",
    "uri-reference": "/orders/7",
    "iri": "https://shop.example.com/straße",
    "iri-reference": "/straße",
    "uri-template": "/orders/{id}",
    "uuid": "7d3f0a56-3c0e-4f6e-9f3a-0a1b2c3d4e5f",
    "json-pointer": "/lines/0",
    "relative-json-pointer": "1/lines",
    "regex": "^[A-Z]+$",
}
"""One text of each format, for messages."""
