"""Variables of `${NAME}`: from the environment, the tenant's `.env`, the root's `.env`.

What lives here: reading `.env` files, filling in, and which values are secret. What must not:
masking (`tm.redact`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from tm.config.file_bytes import read_file
from tm.errors import Location, ToolError, did_you_mean
from tm.model import Api

MAX_ENV_BYTES: Final = 1_000_000
_MOST_STRAY: Final = 5
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_VARIABLE = re.compile(r"\$\{([^}]*)(\}?)")
_LINE = re.compile(rf"\s*(?:export\s+)?({_NAME})\s*=\s*(.*?)\s*")
_SAYS_SECRET = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)
_ADDRESS: Final = r"https?://[^\s@?#]*"
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "$": "$"}
_SECRET_FIELDS: Final = ("auth", "headers", "api_key")
_SECRET_AUTH_FIELDS: Final = frozenset({"token", "password", "value", "client_secret"})
_SECRET_HEADERS: Final = frozenset({"authorization", "proxy-authorization", "cookie"})
_NAMED_AUTH: Final = frozenset({"header", "query"})
_OPEN_AUTH_FIELDS: Final = frozenset({"type", "token_url", "scope"})


def read_env(text: str) -> dict[str, str]:
    """Return the variables of a `.env` text; lines that are none are left out.

    `KEY=VALUE`, `export KEY=VALUE`, single quotes (as they stand), double quotes (with
    backslash escapes), `#` comments; a later line wins. Nothing is expanded.
    """
    found: dict[str, str] = {}
    for line in text.removeprefix("\ufeff").split("\n"):
        if line.lstrip().startswith("#"):
            continue
        if hit := _LINE.fullmatch(line):
            found[hit[1]] = _unquote(hit[2])
    return found


def _unquote(value: str) -> str:
    """Return a value without its quotes and its comment."""
    if value[:1] == "'" and (end := value.find("'", 1)) > 0:
        return value[1:end]
    if hit := re.match(r'"((?:[^"\\]|\\.)*)"', value):
        return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), hit[1])
    if value.startswith("#"):
        return ""
    return re.split(r"\s+#", value, maxsplit=1)[0]


def read_env_file(folder: Path) -> dict[str, str]:
    """Return the variables of a folder's `.env`; none where there is no readable one.

    A link is not followed: it could lead into another tenant.
    """
    try:
        data = read_file(f"{folder}/.env", limit=MAX_ENV_BYTES)
    except OSError:
        return {}
    return read_env(data.decode("utf-8", "replace"))


def stray_lines(folder: Path, shown: str) -> list[Location]:
    """Return the places in a folder's `.env` that are neither a variable nor a comment.

    Args:
        folder: that holds the file.
        shown: the file's path from the root.
    """
    try:
        data = read_file(f"{folder}/.env", limit=MAX_ENV_BYTES)
    except OSError:
        return []
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    return [
        Location(shown, number)
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.lstrip().startswith("#") and not _LINE.fullmatch(line)
    ]


class SecretSource:
    """The variables that one tenant's `${NAME}` see.

    Args:
        environ: the process environment; it wins.
        tenant_env: of the tenant's `.env`.
        root_env: of the root's `.env`.
        tenant: code, for messages.
        stray: gives the lines of the `.env` files that are no variables, for messages.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        tenant_env: Mapping[str, str],
        root_env: Mapping[str, str],
        *,
        tenant: str = "",
        stray: Callable[[], Sequence[Location]] = tuple,
    ) -> None:
        self._sources = (environ, tenant_env, root_env)
        self._tenant = tenant
        self._stray = stray

    def get(self, name: str) -> str | None:
        """Return a variable's value, or None where none of the three sources has it."""
        for source in self._sources:
            if name in source:
                return source[name]
        return None

    @property
    def names(self) -> set[str]:
        """Return the names of all variables."""
        return {name for source in self._sources for name in source}

    def expand(self, text: str, at: Location) -> str:
        """Return the text with every `${NAME}` filled in; one pass, `$NAME` stays as it is.

        Args:
            text: as declared.
            at: of the text, for the error.

        Raises:
            ToolError: TM503, a variable is missing, or `${` is not closed or names none.
        """
        if "${" not in text:
            return text
        return _VARIABLE.sub(lambda hit: self._value(hit, at), text)

    def _value(self, hit: re.Match[str], at: Location) -> str:
        name = hit[1]
        if not hit[2] or not re.fullmatch(_NAME, name):
            raise ToolError(
                f"{hit[0][:40]!r} is no ${{NAME}}; write a variable's name between the braces",
                code="TM503",
                at=at,
            )
        value = self.get(name)
        if value is None:
            raise ToolError(
                f"variable {name} is not set{did_you_mean(name, sorted(self.names))}",
                code="TM503",
                hint=self._way_out(name),
                at=at,
            )
        return value

    def _way_out(self, name: str) -> str:
        """Return how to set a variable, with the lines that may have been meant to."""
        where = f"in the environment, in tenants/{self._tenant}/.env, or in the root's .env"
        stray = self._stray()[:_MOST_STRAY]
        if not stray:
            return f"set {name} {where}"
        verb = "is" if len(stray) == 1 else "are"
        return f"{', '.join(map(str, stray))} {verb} no NAME=VALUE; set {name} {where}"

    def secret_values(self, *declared: Api | Mapping[str, Any]) -> set[str]:
        """Return every value that must be masked (SPEC, section 3.2).

        Args:
            declared: the tenant's apis, and providers as declared.
        """
        return set(self.secret_names(*declared)) | self.values_in(*declared)

    def values_in(self, *declared: Api | Mapping[str, Any]) -> set[str]:
        """Return what must be masked because of what these apis and mappings declare."""
        texts = list(_secret_texts(declared))
        return {*self._by_value(_variables(texts)), *self._written_out(texts)}

    def secret_names(self, *declared: Api | Mapping[str, Any]) -> dict[str, str]:
        """Return the variable's name by its secret value, for `--curl`; empty values left out."""
        said = {name for name in self.names if says_secret(name)} - self._addresses(declared)
        return self._by_value(said | _variables(_secret_texts(declared)))

    def _by_value(self, names: set[str]) -> dict[str, str]:
        pairs = ((self.get(name), name) for name in sorted(names, reverse=True))
        return {value: name for value, name in pairs if value}

    def _addresses(self, declared: tuple[Api | Mapping[str, Any], ...]) -> set[str]:
        """Return the variables that are an api's address, whatever their names say.

        A `base_url` is no secret (`${KEYCLOAK_URL}`), a token inside it is (`.../bot${BOT_TOKEN}`).
        """
        texts = (entry.base_url for entry in declared if isinstance(entry, Api))
        names = {hit[1] for text in texts if (hit := _VARIABLE.match(text))}
        return {name for name in names if re.fullmatch(_ADDRESS, self.get(name) or "")}

    def _written_out(self, texts: list[str]) -> set[str]:
        """Return what fills auth, headers and api_key, with the variables in it filled in."""
        found = set()
        for text in texts:
            found.add(_VARIABLE.sub(lambda hit: self.get(hit[1]) or "", text))
        return {text for text in found if text}


def _variables(texts: Iterable[str]) -> set[str]:
    return {hit[1] for text in texts for hit in _VARIABLE.finditer(text)}


@lru_cache(maxsize=4096)
def says_secret(name: str) -> bool:
    """Tell whether a variable's name says that its value is secret; asked anew in every run."""
    return _SAYS_SECRET.search(name) is not None


def _secret_texts(declared: tuple[Api | Mapping[str, Any], ...]) -> Iterator[str]:
    """Yield the texts as declared that fill auth, headers and api_key."""
    for entry in declared:
        fields = entry.declared if isinstance(entry, Api) else entry
        for name in _SECRET_FIELDS:
            if value := fields.get(name):
                yield from _texts(value, name)


def _texts(value: object, field: str) -> Iterator[str]:
    """Yield the secret texts of one field."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            text = inner.get("value") if isinstance(inner, Mapping) else inner
            if isinstance(text, str) and _is_secret(str(key), text, value, field):
                yield text


def _is_secret(key: str, text: str, siblings: Mapping[str, Any], field: str) -> bool:
    """Tell whether a text under auth or headers is one to mask.

    What a variable fills is; a text that is written out is where its key says so, since masking
    a word like `de` (Accept-Language) would tear holes into every output.
    """
    if field == "auth":
        if key in _OPEN_AUTH_FIELDS or (key == "name" and siblings.get("type") in _NAMED_AUTH):
            return False
        return "${" in text or key in _SECRET_AUTH_FIELDS
    return "${" in text or _SAYS_SECRET.search(key) is not None or key.lower() in _SECRET_HEADERS
