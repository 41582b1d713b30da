"""Names and addresses of hosts, as the formats of JSON Schema want them."""

from __future__ import annotations

import re
from unicodedata import bidirectional

_LABEL = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"
_IPV4 = r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!\Z)|\Z)){4}"
_HEX = r"[0-9a-fA-F]{1,4}"
_DOTS = "[.\u3002\uff0e\uff61]"


def is_ipv4(text: str) -> bool:
    """Tell whether a text is four numbers of 0 to 255, without leading zeros."""
    return re.fullmatch(_IPV4, text) is not None


def is_ipv6(text: str) -> bool:
    """Tell whether a text is an IPv6 address (RFC 4291), without a zone."""
    head, gap, tail = text.partition("::")
    left = head.split(":") if head else []
    right = tail.split(":") if tail else []
    groups = [*left, *right]
    count = len(groups)
    if groups and "." in groups[-1] and (right or not gap):
        if not is_ipv4(groups.pop()):
            return False
        count += 1
    if any(re.fullmatch(_HEX, group) is None for group in groups):
        return False
    return count <= 7 if gap else count == 8


def is_hostname(text: str) -> bool:
    """Tell whether a text is a host name of ASCII labels (RFC 1123); punycode must be valid."""
    return len(text) <= 253 and all(_is_label(label) for label in text.split("."))


def _is_label(label: str) -> bool:
    if re.fullmatch(_LABEL, label) is None:
        return False
    if label[2:4] != "--":
        return True
    return label[:4].lower() == "xn--" and _is_idn_label(label.lower())


def is_idn_hostname(text: str) -> bool:
    """Tell whether a text is an internationalized host name (RFC 5891)."""
    labels = re.split(_DOTS, text)
    if not _bidi_holds(labels):
        return False
    plain = all(label.isascii() or _is_idn_label(label) for label in labels)
    return plain and len(text) <= 253 and all(_is_label(x) for x in labels if x.isascii())


def _bidi_holds(labels: list[str]) -> bool:
    """Tell whether the Bidi rule (RFC 5893) holds; one right-to-left label binds them all."""
    if not any(bidirectional(char) in {"R", "AL", "AN"} for label in labels for char in label):
        return True
    import idna  # noqa: PLC0415  as below

    try:
        return all(idna.check_bidi(label, check_ltr=True) for label in labels)
    except idna.IDNABidiError:
        return False


def _is_idn_label(label: str) -> bool:
    import idna  # noqa: PLC0415  large tables; comes with httpx, needed for such names only

    try:
        if label.startswith("xn--"):
            idna.ulabel(label)
        else:
            idna.alabel(label)
    except (idna.IDNAError, UnicodeError):
        return False
    return True
