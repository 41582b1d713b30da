"""Tools out of an OpenAPI 3 document: one for each operation, and the apis that they ask.

What lives here: the way from the document to files. What must not: network; nothing but the text
is read.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from tm.config.env import says_secret
from tm.errors import UsageError
from tm.exchange.imported import Imported, config_text, one_line
from tm.exchange.names import NO_NAMES, argument_name, slug, tool_name, variable
from tm.exchange.openapi.arguments import Arguments
from tm.exchange.openapi.document import Document, LeftOutError, read_document
from tm.exchange.openapi.security import Auth, auth_of
from tm.exchange.secret_texts import holds_secret
from tm.lint.rules.plain_http import other_machine
from tm.model import METHODS, Json
from tm.records import field, record

_MOST_NAMES: Final = 20
_METHODS: Final = tuple(method.lower() for method in METHODS)
_VARIABLE: Final = re.compile(r"\{([^}]*)\}")


@record(frozen=False)
class _Apis:
    """The apis that come together: one for each pair of address and auth.

    Attributes:
        stem: name of the first.
        declared: by name.
        joined: apis in which some list in the query is joined by commas.
    """

    stem: str
    taken: Container[str]
    by_use: dict[tuple[str, str, str], str] = field(default_factory=dict)
    declared: dict[str, dict[str, Any]] = field(default_factory=dict)
    variables: list[str] = field(default_factory=list)

    def name_for(self, base_url: str, auth: Auth, *, joins_lists: bool) -> str:
        """Return the api for an operation, declared where it is new."""
        lists = "comma" if joins_lists else "repeat"
        use = (base_url, str(auth), lists)
        if use not in self.by_use:
            name = argument_name(self.stem, {*self.declared, *_listed(self.taken)})
            self.by_use[use] = name
            self.declared[name] = self._api(base_url, auth, lists)
        return self.by_use[use]

    def _api(self, base_url: str, auth: Auth, lists: str) -> dict[str, Any]:
        if not base_url or (auth.auth is not None and other_machine(base_url)):
            # No address, or one that keys may not go to: whoever sets it up has to say.
            name = variable(self.stem, "url")
            base_url = f"${{{name}}}"
            self.note(name)
        api: dict[str, Any] = {"base_url": base_url}
        if auth.auth is not None:
            api["auth"] = dict(auth.auth)
        if auth.headers:
            api["headers"] = dict(auth.headers)
        if lists != "repeat":
            api["query_arrays"] = lists
        for name in auth.variables:
            self.note(name)
        return api

    def note(self, name: str) -> None:
        """Note a variable that has to be set."""
        if name not in self.variables:
            self.variables.append(name)


def _listed(names: Container[str]) -> set[str]:
    return set(names) if isinstance(names, (set, frozenset)) else set()


def import_openapi(
    text: str,
    source: str,
    names: set[str],
    apis: set[str],
    *,
    only: tuple[str, ...] = (),
    api: str | None = None,
) -> Imported:
    """Return the config for a document's operations.

    Args:
        text: of the document, JSON or YAML.
        source: name of the file, for errors.
        names: of the tenant's tools.
        apis: names of the tenant's apis.
        only: globs; an operation counts whose tool name, path or tag fits one. None: all.
        api: name of the api; None: the document's title.

    Raises:
        UsageError: TM500, no OpenAPI 3 document, or no operation of it can be a tool.
    """
    document = read_document(text, source)
    info = document.data.get("info")
    title = info.get("title") if isinstance(info, Mapping) else None
    stem = slug(api or str(title or ""))
    if api is not None and api in apis:
        message = f"the tenant has an api {api!a:.60} already"
        raise UsageError(message, code="TM006", hint="choose another name with --api")
    made = _Apis(stem, apis)
    tools: dict[str, dict[str, Any]] = {}
    notes: list[str] = []
    unwanted: list[str] = []
    for method, path, operation in _operations(document):
        given = str(operation.get("operationId") or f"{method}_{path}")
        name = tool_name(given, {*names, *tools}, otherwise=f"{method}_operation")
        if not _is_wanted(only, name, path, operation):
            unwanted.append(name)
            continue
        try:
            tools[name], left_out = _tool(document, (method, path, operation), made)
            notes += (f"{name}: {note}" for note in left_out)
        except (LeftOutError, RecursionError) as problem:
            is_known = isinstance(problem, LeftOutError)
            why = problem if is_known else "its schemas are nested too deep"
            notes.append(f"{method.upper()} {path:.80} is left out: {why}")
    if not tools and not notes and unwanted:
        raise _none_fits(only, unwanted)
    if not tools:
        first = f"; {notes[0]}" if notes else ""
        raise UsageError(f"no operation of {source} can be a tool{first}", code="TM500")
    return Imported(_files(stem, made, tools), tuple(tools), tuple(made.variables), tuple(notes))


def _none_fits(only: tuple[str, ...], names: list[str]) -> UsageError:
    more = ", ..." if len(names) > _MOST_NAMES else ""
    fits = " or ".join(f"{glob!a:.80}" for glob in only)
    there = ", ".join(names[:_MOST_NAMES]) + more
    return UsageError(f"no operation fits {fits}; there are: {there}", code="TM500")


def _operations(document: Document) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield method, path and operation, with what the path declares for all of its operations."""
    for path, declared in document.data["paths"].items():
        try:
            item = document.part(declared)
        except LeftOutError:
            continue
        for method in _METHODS:
            operation = item.get(method)
            if isinstance(operation, Mapping):
                both = [*_list(item, "parameters"), *_list(operation, "parameters")]
                servers = operation.get("servers") or item.get("servers")
                yield method, str(path), {**operation, "parameters": both, "servers": servers}


def _list(part: Mapping[str, Any], key: str) -> list[Any]:
    found = part.get(key)
    return found if isinstance(found, list) else []


def _is_wanted(only: tuple[str, ...], name: str, path: str, operation: Mapping[str, Any]) -> bool:
    tags = operation.get("tags")
    words = [name, path, *(map(str, tags) if isinstance(tags, list) else ())]
    return not only or any(fnmatchcase(word, glob) for glob in only for word in words)


def _tool(
    document: Document, found: tuple[str, str, Mapping[str, Any]], apis: _Apis
) -> tuple[dict[str, Any], list[str]]:
    """Return the tool of an operation, and what of it was left out.

    Raises:
        LeftOutError: something that it needs can't be had.
    """
    method, path, operation = found
    arguments = Arguments(document, path)
    arguments.take_parameters([document.part(part) for part in operation["parameters"]])
    if "requestBody" in operation and method not in {"get", "head"}:
        arguments.take_body(document.part(operation["requestBody"]))
    auth = auth_of(document, operation, apis.stem)
    fields = arguments.fields()
    api = apis.name_for(_base_url(document, operation), auth, joins_lists=arguments.joins_lists)
    words = [one_line(operation.get(key), 400) for key in ("summary", "description")]
    told = ". ".join(dict.fromkeys(word.rstrip(".") for word in words if word))
    tool = {
        "description": one_line(f"{told}." if told else f"{method.upper()} {path}."),
        "parameters": fields["parameters"],
        "api": api,
        "method": method.upper(),
        **{key: value for key, value in fields.items() if key != "parameters"},
    }
    fixture = _fixture(fields["parameters"]) if method == "get" else None
    return ({**tool, "args_fixture": fixture} if fixture else tool), arguments.notes


def _base_url(document: Document, operation: Mapping[str, Any]) -> str:
    """Return the first server's address, variables at their defaults; empty: it is none."""
    servers = operation.get("servers") or document.data.get("servers")
    first = servers[0] if isinstance(servers, list) and servers else {}
    url = first.get("url") if isinstance(first, Mapping) else None
    variables = first.get("variables") if isinstance(first, Mapping) else None

    def filled(hit: re.Match[str]) -> str:
        known = variables.get(hit[1]) if isinstance(variables, Mapping) else None
        return str(known.get("default", "")) if isinstance(known, Mapping) else ""

    address = _VARIABLE.sub(filled, url) if isinstance(url, str) else ""
    try:
        parts = urlsplit(address)
        is_whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return ""
    is_plain = re.fullmatch(r"[!-~]+", address) is not None and not set(address) & set("{}$\\<>\"'")
    is_secret = any(says_secret(key) for key, _ in parse_qsl(parts.query)) or holds_secret(address)
    if not is_whole or not is_plain or parts.username or parts.fragment or is_secret:
        return ""
    return address.rstrip("/") if not parts.query else address


def _fixture(parameters: Mapping[str, Any]) -> dict[str, Json] | None:
    """Return arguments to try an operation with; None where the document gives no value for one."""
    found: dict[str, Json] = {}
    for name in parameters.get("required", []):
        schema = parameters["properties"][name]
        value = next(_samples(schema), None)
        if value is None:
            return None
        found[name] = value
    return found


def _samples(schema: Mapping[str, Any]) -> Iterator[Json]:
    """Yield values that a schema itself offers, best first; secrets are not among them."""
    for value in (*schema.get("examples", []), schema.get("default"), *schema.get("enum", [])):
        if isinstance(value, (str, int, float)) and value != "" and _fits(schema, value):
            yield value


def _fits(schema: Mapping[str, Any], value: Json) -> bool:
    from tm.schema.arguments import check_arguments  # noqa: PLC0415  documents with examples only

    whole = {"type": "object", "properties": {"v": dict(schema)}}
    return "$ref" not in str(schema) and not check_arguments(whole, {"v": value}).failures


def _files(stem: str, apis: _Apis, tools: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return a file for the apis, and one for each tool."""
    files = {f"{stem}/{stem}.yaml": config_text({"apis": apis.declared})}
    lower: set[str] = {stem, *NO_NAMES}
    for name, tool in tools.items():
        # Some file systems take names that differ in case only for the same.
        base = name
        while base.lower() in lower:
            base += "_"
        lower.add(base.lower())
        files[f"{stem}/{base}.yaml"] = config_text({"tools": {name: tool}})
    return files
