"""The arguments of an operation: its parameters and its body as one schema, and where each goes.

What lives here: one operation's `parameters`, `query`, `headers`, `body` and path. What must not:
addresses and auth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tm.exchange.foreign_schema import to_json_schema
from tm.exchange.imported import one_line
from tm.exchange.names import argument_name
from tm.exchange.openapi.document import Document, LeftOutError
from tm.model import Json

_MULTIPART: Final = "multipart/form-data"
_FORM: Final = "application/x-www-form-urlencoded"
_IGNORED_HEADERS: Final = frozenset({"accept", "content-type", "authorization"})  # OpenAPI 4.8.12
_IN_PATH: Final = re.compile(r"\{([^{}]+)\}")


class Body(NamedTuple):
    """What of a request body becomes arguments.

    Attributes:
        schema: of the fields; always of an object.
        is_required: whether the body has to be there.
    """

    schema: dict[str, Any]
    body_format: str
    is_required: bool


class Arguments:
    """The arguments of one operation, as they come together.

    Attributes:
        fields: of the tool: `parameters`, `path` and, where they are needed, `query`, `headers`,
            `body` and `body_format`.
        notes: what was left out of the operation.
        joins_lists: whether a list in the query is joined by commas.
    """

    def __init__(self, document: Document, path: str) -> None:
        self._document = document
        self._path = path
        self._properties: dict[str, Any] = {}
        self._required: list[str] = []
        self._definitions: dict[str, Json] = {}
        self._to: dict[str, dict[str, Any]] = {"query": {}, "headers": {}, "body": {}}
        self._in_path: dict[str, str] = {}
        self._body_format = "json"
        self.notes: list[str] = []
        self.joins_lists = False

    def take_parameters(self, declared: list[Mapping[str, Any]]) -> None:
        """Take the parameters of an operation and of its path; the operation's win.

        Raises:
            LeftOutError: one that is needed can't be sent.
        """
        unequal = {(part.get("name"), part.get("in")): part for part in declared}
        for part in unequal.values():
            self._take(part)
        missing = [name for name in _IN_PATH.findall(self._path) if name not in self._in_path]
        for name in missing:
            self._take({"name": name, "in": "path", "schema": {"type": "string"}})

    def _take(self, part: Mapping[str, Any]) -> None:
        name, place = part.get("name"), part.get("in")
        if not isinstance(name, str) or not name:
            return
        if place == "header" and name.lower() in _IGNORED_HEADERS:
            return
        is_needed = part.get("required") is True or place == "path"
        if "schema" not in part or place == "cookie":
            what = "a cookie" if place == "cookie" else "no plain value"
            if is_needed:
                raise LeftOutError(f"parameter {name!a:.40} is {what}, and is required")
            self.notes.append(f"parameter {name!a:.40} is left out: it is {what}")
            return
        if place == "path" and f"{{{name}}}" not in self._path:
            return
        schema = self._schema(part["schema"], part)
        argument = self._add(name, schema, required=is_needed)
        if place == "path":
            self._in_path[name] = argument
        else:
            self._to["headers" if place == "header" else "query"][name] = argument
        if place == "query" and schema.get("type") == "array":
            self.joins_lists |= part.get("explode") is False

    def _schema(self, schema: object, part: Mapping[str, Any]) -> dict[str, Any]:
        unfolded, definitions = self._document.unfolded(schema)
        self._define(definitions)
        found = to_json_schema(unfolded)
        made: dict[str, Any] = dict(found) if isinstance(found, dict) else {}
        text = one_line(part.get("description")) or made.get("description")
        made.pop("description", None)
        return {**made, "description": text} if text else made

    def _define(self, definitions: Mapping[str, Json]) -> None:
        for name, schema in definitions.items():
            self._definitions[name] = to_json_schema(schema)

    def _add(self, name: str, schema: dict[str, Any], *, required: bool) -> str:
        argument = argument_name(name, self._properties)
        schema.setdefault("description", f"The {name}.")
        self._properties[argument] = schema
        if required:
            self._required.append(argument)
        return argument

    def take_body(self, declared: Mapping[str, Any]) -> None:
        """Take the fields of a request body as arguments.

        Raises:
            LeftOutError: the body is no object, or in a format that no tool sends.
        """
        found = self._body(declared)
        if found is None:
            return
        self._body_format = found.body_format
        needed = found.schema.get("required", [])
        for name, schema in found.schema["properties"].items():
            made = dict(schema) if isinstance(schema, dict) else {}
            required = found.is_required and name in needed
            self._to["body"][name] = self._add(name, made, required=required)

    def _body(self, declared: Mapping[str, Any]) -> Body | None:
        content = declared.get("content")
        if not isinstance(content, Mapping) or not content:
            return None
        is_required = declared.get("required") is True
        for kind, body_format in _sendable(content):
            media = self._document.part(content[kind])
            if "schema" not in media:
                continue
            unfolded, definitions = self._document.unfolded(media["schema"])
            self._define(definitions)
            return Body(self._fields_of(to_json_schema(unfolded)), body_format, is_required)
        kinds = ", ".join(map(str, content))
        if is_required:
            raise LeftOutError(f"its body is {kinds:.80}, which no tool sends")
        self.notes.append(f"the body is left out: it is {kinds:.80}")
        return None

    def _fields_of(self, schema: Json) -> dict[str, Any]:
        """Return a body's schema as one object with all fields that it may have.

        Raises:
            LeftOutError: it is no object, or says nothing of its fields.
        """
        merged = self._merged(schema, ())
        properties = {
            name: part
            for name, part in merged["properties"].items()
            if not (isinstance(part, dict) and part.get("readOnly"))
        }
        if not properties:
            raise LeftOutError("its body is no object with named fields")
        return {"properties": properties, "required": merged["required"]}

    def _merged(self, schema: Json, seen: tuple[str, ...]) -> dict[str, Any]:
        """Return the properties of a schema and of what it is made of.

        What only some of the alternatives have, or do not require, is optional.
        """
        found: dict[str, Any] = {"properties": {}, "required": []}
        if not isinstance(schema, dict):
            return found
        reference = schema.get("$ref")
        if isinstance(reference, str):
            name = reference.rpartition("/")[2]
            return found if name in seen else self._merged(self._definitions[name], (*seen, name))
        for part in schema.get("allOf", []):
            _join(found, self._merged(part, seen))
        for key in ("oneOf", "anyOf"):
            parts = [self._merged(part, seen) for part in schema.get(key, [])]
            if parts:
                common = set(parts[0]["required"]).intersection(*(p["required"] for p in parts))
                for part in parts:
                    _join(found, {**part, "required": sorted(common)})
        own = {"properties": schema.get("properties", {}), "required": schema.get("required", [])}
        _join(found, own)
        return found

    def fields(self) -> dict[str, Any]:
        """Return the tool's fields.

        With neither `query` nor `body`, arguments go where the method says; with headers or a
        query beside a body, each has to be named.
        """
        path = _IN_PATH.sub(lambda hit: f"{{{self._in_path[hit[1]]}}}", self._path)
        parameters: dict[str, Any] = {"type": "object", "properties": self._properties}
        if self._required:
            parameters["required"] = self._required
        if used := self._used_definitions():
            parameters["$defs"] = used
        found: dict[str, Any] = {"parameters": parameters, "path": path}
        found |= {key: fields for key, fields in self._to.items() if fields}
        if self._to["body"] and self._body_format != "json":
            found["body_format"] = self._body_format
        return found

    def _used_definitions(self) -> dict[str, Json]:
        """Return the definitions that arguments refer to, and those that these refer to."""
        used: dict[str, Json] = {}
        waiting = list(_names_in(self._properties))
        while waiting:
            name = waiting.pop()
            if name not in used and name in self._definitions:
                used[name] = self._definitions[name]
                waiting += _names_in(used[name])
        return dict(sorted(used.items()))


def _names_in(value: Json) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    if isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/$defs/"):
            yield reference.rpartition("/")[2]
        for part in value.values():
            yield from _names_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from _names_in(part)


def _join(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    into["properties"] = {**into["properties"], **more["properties"]}
    into["required"] = list(dict.fromkeys([*into["required"], *more["required"]]))


def _sendable(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the content types that a tool can send, with their `body_format`; JSON first."""
    plain = {str(kind): str(kind).partition(";")[0].strip().lower() for kind in content}
    for kind, lower in plain.items():
        if lower in {"application/json", "*/*", "application/*"} or lower.endswith("+json"):
            yield kind, "json"
    yield from ((kind, "form") for kind, lower in plain.items() if lower == _FORM)
    yield from (
        (kind, "multipart") for kind, lower in plain.items() if lower == "multipart/form-data"
    )
