"""Whether something is as a case wants it; every check returns what is wrong, in lines."""

from __future__ import annotations

import json
import re
from typing import Any

KINDS = {
    "<any>": lambda _: True,
    "<string>": lambda got: isinstance(got, str),
    "<number>": lambda got: type(got) in {int, float},
    "<int>": lambda got: type(got) is int,
    "<list>": lambda got: isinstance(got, list),
    "<object>": lambda got: isinstance(got, dict),
}


def differences(want: Any, got: Any, at: str = "$") -> list[str]:
    """Mappings match as subsets, lists item by item, everything else by type and value."""
    if isinstance(want, dict):
        if any(key in want for key in _MARKERS):
            return [line for key, rule in want.items() for line in _MARKERS[key](rule, got, at)]
        return _mapping(want, got, at)
    if isinstance(want, list):
        return _list(want, got, at)
    if isinstance(want, str) and want in KINDS:
        return [] if KINDS[want](got) else [f"{at} is no {want}: {_short(got)}"]
    same = want == got and isinstance(want, bool) == isinstance(got, bool)
    return [] if same else [f"{at} should be {want!r}, is {_short(got)}"]


def _mapping(want: dict[str, Any], got: Any, at: str) -> list[str]:
    if not isinstance(got, dict):
        return [f"{at} should be a mapping, is {_short(got)}"]
    lines = [f"{at}.{key} is missing" for key in want.keys() - got.keys()]
    for key in want.keys() & got.keys():
        lines += differences(want[key], got[key], f"{at}.{key}")
    return lines


def _list(want: list[Any], got: Any, at: str) -> list[str]:
    if not isinstance(got, list) or len(want) != len(got):
        return [f"{at} should have {len(want)} items, is {_short(got)}"]
    pairs = enumerate(zip(want, got, strict=True))
    return [line for n, (one, other) in pairs for line in differences(one, other, f"{at}.{n}")]


def _exact(want: Any, got: Any, at: str) -> list[str]:
    return [] if want == got else [f"{at} should be exactly {want!r}, is {_short(got)}"]


def _has(items: list[Any], got: Any, at: str) -> list[str]:
    def is_there(item: Any) -> bool:
        if isinstance(item, dict):
            return any(not differences(item, one) for one in got)
        return item in got

    return [f"{at} lacks {item!r}: {_short(got)}" for item in items if not is_there(item)]


def _lacks(items: list[Any], got: Any, at: str) -> list[str]:
    return [f"{at} has {item!r}" for item in items if item in got]


def _length(want: int, got: Any, at: str) -> list[str]:
    return [] if len(got) == want else [f"{at} should have {want} items: {_short(got)}"]


def _pattern(want: str, got: Any, at: str) -> list[str]:
    found = re.search(want, str(got), re.DOTALL)
    return [] if found else [f"{at} does not match {want!r}: {_short(got)}"]


_MARKERS = {
    "<exact>": _exact,
    "<has>": _has,
    "<lacks>": _lacks,
    "<len>": _length,
    "<re>": _pattern,
}


def text_faults(rules: dict[str, list[str]], text: str, name: str) -> list[str]:
    """Check `has`, `lacks` and `re` against a text."""
    lines = [f"{name} lacks {word!r}" for word in rules.get("has", []) if word not in text]
    lines += [f"{name} has {word!r}" for word in rules.get("lacks", []) if word in text]
    patterns = rules.get("re", [])
    flags = re.DOTALL | re.MULTILINE
    return lines + [
        f"{name} does not match {p!r}" for p in patterns if not re.search(p, text, flags)
    ]


def strict_json(text: str) -> Any:
    """Read one JSON document, in which NaN and Infinity are no JSON."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}..."
