"""Composing YAML text to nodes with PyYAML's parser; only this file imports PyYAML.

A node's tag says what it is: a `Mark`, a function that reads the scalar, or the tag that the file
wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml
from yaml.nodes import ScalarNode

from tm.config.scalars import COLLECTION, TEXT, scalar_kind
from tm.config.yaml_source import MAX_DEPTH, YamlFault

if TYPE_CHECKING:
    from yaml import Node


class _Rules:
    """What a parser asks while it composes; the methods' names are PyYAML's."""

    _depth = 0

    def resolve(self, kind: type, value: Any, implicit: Any) -> Any:
        """Return the kind of an untagged node."""
        if kind is not ScalarNode:
            return COLLECTION
        return scalar_kind(value) if implicit[0] else TEXT

    def descend_resolver(self, parent: Any, _index: Any) -> None:
        """Count the depth on the way down."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            mark = parent.start_mark
            what = f"nested deeper than {MAX_DEPTH} levels"
            raise YamlFault("TM001", what, mark.line + 1, mark.column + 1)

    def ascend_resolver(self) -> None:
        """Count the depth on the way up."""
        self._depth -= 1


if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class _Composer(_Rules, CParser):
        """Composes in C."""

        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)

else:  # pragma: no cover  where PyYAML was built without libyaml
    from yaml.composer import Composer
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class _Composer(_Rules, Reader, Scanner, Parser, Composer):  # type: ignore[no-redef]
        """Composes in Python."""

        def __init__(self, text: str) -> None:
            Reader.__init__(self, text)
            Scanner.__init__(self)
            Parser.__init__(self)
            Composer.__init__(self)


def compose(text: str) -> Node | None:
    """Return the root node of the only document, or None where there is none.

    Raises:
        YamlFault: TM001 where the text does not parse, TM003 for several documents.
    """
    try:
        return _Composer(text).get_single_node()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, text.find(chr(error.character))) + 1
        what = f"character U+{error.character:04X} is not allowed in YAML"
        raise YamlFault("TM001", what, line) from error
    except yaml.MarkedYAMLError as error:
        raise _from_marked(error, text) from error


def _from_marked(error: yaml.MarkedYAMLError, text: str) -> YamlFault:
    """Return the fault that PyYAML describes with its marks."""
    mark = error.problem_mark or error.context_mark
    if mark and error.context_mark and mark.index >= len(text.rstrip()):
        mark = error.context_mark  # what is still open at the end is wrong where it opens
    place = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if mark and mark.index >= len(text.rstrip()):
        lines = text.rstrip().split("\n")
        place = (len(lines), len(lines[-1]) + 1)
    if error.problem == "but found another document":
        what = "a second document begins here; a file holds one"
        return YamlFault("TM003", what, *place)
    words = ", ".join(part for part in (error.context, error.problem) if part)
    return YamlFault("TM001", f"does not parse: {words}", *place)
