"""An OpenAPI document: read as JSON or YAML, its references followed within it and nowhere else.

What lives here: the document. What must not: tools.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from tm.errors import UsageError
from tm.model import Json

_BOOLEAN: Final = re.compile(r"true|True|TRUE|false|False|FALSE")
_MOST_STEPS: Final = 3_000_000
"""Parts of schemas that are read at most: a document with references may unfold to any size."""
_WIDEST: Final = 600
"""Parts of one schema that are written out; in a larger one, references become `$defs`."""


class LeftOutError(Exception):
    """Something that a tool can't express, or that is not in the document; the text says what."""


class Document:
    """A parsed document.

    Attributes:
        data: its top.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self._steps = 0

    def part(self, value: object, seen: tuple[str, ...] = ()) -> Mapping[str, Any]:
        """Return a part of the document, behind its reference where it is one.

        Raises:
            LeftOutError: the reference leads out of the document, nowhere, or in a circle.
        """
        if not isinstance(value, Mapping):
            return {}
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return value
        if reference in seen:
            raise LeftOutError(f"{reference} leads back to itself")
        return self.part(self.target(reference), (*seen, reference))

    def target(self, reference: str) -> Json:
        """Return what a reference names.

        Raises:
            LeftOutError: it leads out of the document, or nowhere.
        """
        if not reference.startswith("#/"):
            raise LeftOutError(f"$ref {reference!a:.80} leads out of the document")
        found: Json = self.data
        for step in reference[2:].split("/"):
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(found, Mapping) and key in found:
                found = found[key]
            elif isinstance(found, list) and key.isdigit() and int(key) < len(found):
                found = found[int(key)]
            else:
                raise LeftOutError(f"$ref {reference!a:.80} names nothing")
        return found

    def unfolded(self, schema: object) -> tuple[Json, dict[str, Json]]:
        """Return a schema without references where that is possible, and definitions for the rest.

        What refers to itself, and what would get too large, is referred to as `#/$defs/NAME`.

        Raises:
            LeftOutError: as `target`, or the document unfolds without end.
        """
        unfolding = _Unfolding(self, inline=True)
        try:
            found = unfolding.of(schema)
        except _TooWideError:
            unfolding = _Unfolding(self, inline=False)
            found = unfolding.of(schema)
        return found, unfolding.definitions

    def count(self) -> None:
        """Count a part that is read.

        Raises:
            LeftOutError: there were too many.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise LeftOutError("the document's schemas are too large")


class _TooWideError(Exception):
    """A schema is too large to be written out."""


class _Unfolding:
    """Writes out the references of one schema."""

    def __init__(self, document: Document, *, inline: bool) -> None:
        self._document = document
        self._inline = inline
        self._parts = 0
        self._names: dict[str, str] = {}
        self.definitions: dict[str, Json] = {}

    def of(self, value: object, path: tuple[str, ...] = ()) -> Json:
        """Return a part with its references written out.

        Args:
            value: a part of a schema.
            path: the references that led here.
        """
        self._document.count()
        self._parts += 1
        if self._inline and self._parts > _WIDEST:
            raise _TooWideError
        if isinstance(value, list):
            return [self.of(part, path) for part in value]
        if not isinstance(value, Mapping):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str):
            return self._followed(reference, value, path)
        return {key: self.of(part, path) for key, part in value.items() if key != "example"}

    def _followed(self, reference: str, value: Mapping[str, Any], path: tuple[str, ...]) -> Json:
        if self._inline and reference not in path and not self._is_circle(reference):
            found = self.of(self._document.target(reference), (*path, reference))
            beside = {key: part for key, part in value.items() if key in {"description", "default"}}
            return {**found, **beside} if isinstance(found, dict) else found
        return {"$ref": f"#/$defs/{self._defined(reference)}"}

    def _is_circle(self, reference: str) -> bool:
        """Tell whether what a reference names refers to itself somewhere below."""
        return reference in self._names or _reaches(self._document, reference)

    def _defined(self, reference: str) -> str:
        if reference not in self._names:
            plain = reference.rpartition("/")[2].replace("~1", "_").replace("~0", "_")
            name, number = plain, 2
            while name in self._names.values():
                name, number = f"{plain}_{number}", number + 1
            self._names[reference] = name
            target = self._document.target(reference)
            self.definitions[name] = self.of(target, (reference,))
        return self._names[reference]


def _reaches(document: Document, start: str) -> bool:
    """Tell whether a reference leads back to itself through others."""
    waiting, seen = [start], set()
    while waiting:
        for reference in _references(document.target(waiting.pop())):
            if reference == start:
                return True
            if reference not in seen:
                seen.add(reference)
                waiting.append(reference)
    return False


def _references(value: Json) -> list[str]:
    """Return the references in a part, not those behind them."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            reference = part.get("$ref")
            if isinstance(reference, str):
                found.append(reference)
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return found


def read_document(text: str, source: str) -> Document:
    """Return the document of a text.

    Raises:
        UsageError: TM500, it is neither JSON nor YAML, or no OpenAPI document of version 3.
    """
    data = _parsed(text, source)
    version = data.get("openapi") if isinstance(data, Mapping) else None
    if not isinstance(version, str) or not version.startswith("3."):
        swagger = isinstance(data, Mapping) and str(data.get("swagger", ""))
        said = f"is Swagger {swagger}" if swagger else "is no OpenAPI document of version 3"
        hint = "npx swagger2openapi makes version 3 of it" if swagger else None
        raise UsageError(f"{source} {said}", code="TM500", hint=hint)
    if not isinstance(data.get("paths"), Mapping):
        raise UsageError(f"{source} declares no paths", code="TM500")
    return Document(data)


def _parsed(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        if text.lstrip().startswith(("{", "[")):
            raise UsageError(f"{source} is no JSON: {error}", code="TM500") from error
    except RecursionError as error:
        raise UsageError(f"{source} is nested too deep", code="TM500") from error
    return _parsed_yaml(text, source)


def _parsed_yaml(text: str, source: str) -> Any:
    import yaml  # noqa: PLC0415  a document in JSON needs none

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    # Dates stay texts, and so do yes and no: a document's values are JSON.
    kept = {
        first: [(tag, found) for tag, found in pairs if not tag.endswith((":timestamp", ":bool"))]
        for first, pairs in base.yaml_implicit_resolvers.items()
    }
    loader: Any = type("DocumentLoader", (base,), {"yaml_implicit_resolvers": kept})
    loader.add_implicit_resolver("tag:yaml.org,2002:bool", _BOOLEAN, list("tTfF"))
    try:
        return yaml.load(text, loader)  # noqa: S506  a safe loader with fewer kinds
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        said = str(error).replace("\n", " ")[:200]
        raise UsageError(f"{source} is neither JSON nor YAML: {said}", code="TM500") from error
