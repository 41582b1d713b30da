"""Secrets in one config file: by their shape anywhere in it, by their key where one tells.

The values are also what every report of the linter masks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from tm.config.source import KeyPath, Source
from tm.errors import Location
from tm.lint.secret_shapes import find_tokens, is_placeholder, is_random
from tm.records import record
from tm.schema.places import subschemas

_TELLS: Final = (  # like the next two compiled on first use: most files need none
    r"(?i)(?:api|access|private|secret|signing|encryption|auth)[-_]?key|secret|token|passw(?:or)?d"
    r"|passwort|kennwort|passphrase|\bpwd\b|credential|authorization|cookie|^key$|[-_]key$"
)
_TELLS_NOT: Final = (
    r"(?i)(?:page|next|prev|cursor|continuation|sync|idempotency|public|primary|foreign|sort|cache"
    r"|partition|csrf|max|min)[-_]?(?:token|key)|tokens|(?:token|secret|key|password)[-_]?"
    r"(?:url|uri|type|budget|name|hint|rules?|hash|id|length|count|file|path|expir\w*|field|limit)s?"
)
_SURE: Final = (
    r"(?i)(?:passw(?:or)?d|passwort|kennwort|passphrase|secret|api[-_]?key|token|authorization)$"
)
_TELLING_PARTS: Final = (
    *("key", "secret", "token", "passw", "kennwort", "passphrase", "pwd", "credential"),
    *("authorization", "cookie"),
)
"""One of these is in every text that _TELLS finds; looking for them is much faster."""

_ODD_LETTERS: Final = "\u017f\u0130\u0131"
"""Count as s and i where case does not matter, though lower case leaves them as they are."""

_BY_PLACE: Final = frozenset({"apis", "settings"})
_OPERATOR: Final = re.compile(r"[|*+?(\[{]")
_AUTH: Final = frozenset({"token", "password", "value", "client_secret"})
_NO_VALUES: Final = frozenset({"parameters", "mapping", "extends", "path", "description"})


@record
class Secret:
    """One secret.

    Attributes:
        value: to be masked everywhere.
        words: what it is, without the value.
    """

    value: str
    words: str
    at: Location


def find_secrets(path: str, text: str, source: Source, tree: ast.Module | None) -> list[Secret]:
    """Return the secrets of a file, one for each value, in the order of the text.

    Args:
        path: relative to the root.
        text: of the file.
        source: what it declares.
        tree: of a Python file; None for YAML.
    """
    found: dict[str, Secret] = {}
    tokens = list(find_tokens(text))
    patterns = _patterns(source) if tokens else []
    for value, words, position in tokens:
        # What a regular expression lists only looks like a token, if it stands nowhere else.
        if patterns and sum(one.count(value) for one in patterns) >= text.count(value):
            continue
        line = text.count("\n", 0, position) + 1
        col = position - text.rfind("\n", 0, position)
        found.setdefault(value, Secret(value, f"this is {words}", Location(path, line, col)))
    may_tell = _may_tell(text)
    declared = _declared(source) if may_tell or _is_spelt_otherwise(source, text) else ()
    for secret in (*declared, *(_in_code(path, tree) if may_tell else ())):
        if not any(value in secret.value for value in found):
            found[secret.value] = secret
    return sorted(found.values(), key=lambda s: (s.at.line or 1, s.at.col or 1))


def _patterns(source: Source) -> list[str]:
    """Return the regular expressions of parameters that stand for more than one text."""
    tools = source.data.get("tools")
    found: dict[int, str] = {}  # what an alias repeats stands in the file once
    for tool in tools.values() if isinstance(tools, Mapping) else ():
        schema = tool.get("parameters") if isinstance(tool, Mapping) else None
        for here in subschemas(schema):
            pattern = here.schema.get("pattern")
            if isinstance(pattern, str) and _OPERATOR.search(pattern):
                found[id(pattern)] = pattern
    return list(found.values())


def _declared(source: Source) -> Iterator[Secret]:
    for section, names in source.data.items():
        for name, value in names.items() if isinstance(names, Mapping) else ():
            yield from _below(source, (section, name), value, name if section == "settings" else "")


def _below(source: Source, keys: KeyPath, value: Any, telling: str) -> Iterator[Secret]:
    """Yield secrets in a value; `telling` is the nearest key that says what it is."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if len(keys) == 2 and keys[0] == "tools" and key in _NO_VALUES:
                continue
            says = telling if key == "value" and telling else str(key)
            yield from _below(source, (*keys, key), inner, says)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _below(source, (*keys, number), inner, telling)
    elif isinstance(value, str | int) and _is_secret(keys, telling, str(value)):
        words = f"'{_name(keys)}' holds a secret"
        yield Secret(_bare(str(value)), words, source.locate(keys))


def _name(keys: KeyPath) -> str:
    named = [key for key in keys if isinstance(key, str)]
    return f"{named[-2]} {named[-1]}" if named[-1] == "value" else named[-1]


def _bare(value: str) -> str:
    """Return a value without the word in front of it that says how it is sent."""
    return re.sub(r"(?i)^(?:bearer|basic|token)\s+", "", value.strip())


def _is_secret(keys: KeyPath, telling: str, value: str) -> bool:
    if value in {"True", "False"}:
        return False
    if _is_secret_place(keys, telling):
        return bool(value.strip()) and not is_placeholder(value)
    if not _is_telling(telling):
        return False
    if keys[0] in {"apis", "settings"} and re.search(_SURE, telling):
        return len(value) >= 6 and not re.search(r"\s", value.strip()) and not is_placeholder(value)
    return is_random(value)


def _is_secret_place(keys: KeyPath, telling: str) -> bool:
    """Say whether only a secret stands there: in auth, an api_key, a header that tells."""
    if keys[0] == "apis" and len(keys) > 3:
        if keys[2] == "auth":
            return keys[3] in _AUTH
        return keys[2] == "headers" and _is_telling(telling)
    if keys[:2] == ("settings", "providers") and len(keys) > 3:
        return keys[3] == "api_key" or (keys[3] == "headers" and _is_telling(telling))
    return False


@lru_cache(maxsize=4096)  # the same few keys stand in every file
def _is_telling(name: str) -> bool:
    return bool(re.search(_TELLS, name)) and not re.search(_TELLS_NOT, name)


def _may_tell(text: str) -> bool:
    """Say whether a name in a text may tell of a secret; a quick look, never too strict."""
    if not text.isascii() and any(letter in text for letter in _ODD_LETTERS):
        return True
    lowered = text.lower()
    return any(part in lowered for part in _TELLING_PARTS)


def _is_spelt_otherwise(source: Source, text: str) -> bool:
    """Say whether keys may tell of a secret whose words do not stand in the text.

    Escapes and Python's joined texts spell a key in another way; in `auth` the place tells.
    """
    return "\\" in text or source.path.endswith(".py") or not _BY_PLACE.isdisjoint(source.data)


def _in_code(path: str, tree: ast.Module | None) -> Iterator[Secret]:
    """Yield random texts that Python code gives a telling name."""
    for node in ast.walk(tree) if tree else ():
        for name, value in _named(node):
            is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
            if not is_text or not _is_telling(name):
                continue
            if is_random(value.value):
                at = Location(path, value.lineno, value.col_offset + 1)
                yield Secret(_bare(value.value), f"'{name}' holds a secret", at)


def _named(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield names with the values that a node gives them."""
    if isinstance(node, ast.Assign):
        yield from ((t.id, node.value) for t in node.targets if isinstance(t, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id, node.value
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg, node.value
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
