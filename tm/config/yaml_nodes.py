"""Composing YAML text to nodes with PyYAML's parser; only this file imports PyYAML.

A node's tag says what it is: a `Mark`, a function that reads the scalar, or the tag that the file
wrote.
"""

from __future__ import annotations

import operator
from typing import Any, Final

import yaml
from yaml.nodes import ScalarNode

from tm.config.scalars import COLLECTION, STARTS, TEXT, scalar_kind
from tm.config.yaml_source import MAX_DEPTH, BadYamlError


class _Rules:
    """What a parser asks while it composes; the methods' names are PyYAML's."""

    _depth = 0

    @staticmethod
    def resolve(kind: type, value: Any, implicit: Any) -> Any:
        """Return the kind of an untagged node."""
        if kind is not ScalarNode:
            return COLLECTION
        # Most scalars are seen to be text by their first character; a call would take longer.
        if not implicit[0] or (value and value[0] not in STARTS):
            return TEXT
        return scalar_kind(value)

    def descend_resolver(self, parent: Any, _index: Any) -> None:
        """Count the depth on the way down."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            mark = parent.start_mark
            what = f"nested deeper than {MAX_DEPTH} levels"
            raise BadYamlError("TM001", what, mark.line + 1, mark.column + 1)

    def ascend_resolver(self) -> None:
        """Count the depth on the way up."""
        self._depth -= 1


if yaml.__with_libyaml__:
    from yaml._yaml import CParser

    class _Composer(_Rules, CParser):
        """Composes in C."""

        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)

    class _ShallowComposer(_Composer):
        """Composes what can't be nested too deep; what the parser calls for nothing is in C too."""

        descend_resolver = staticmethod(operator.is_)  # type: ignore[assignment]  # two arguments
        ascend_resolver = dict  # type: ignore[assignment]  # no arguments

else:  # pragma: no cover  where PyYAML was built without libyaml
    from yaml.composer import Composer
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class _Composer(_Rules, Reader, Scanner, Parser, Composer):  # type: ignore[no-redef]  # one of the two
        """Composes in Python."""

        def __init__(self, text: str) -> None:
            Reader.__init__(self, text)
            Scanner.__init__(self)
            Parser.__init__(self)
            Composer.__init__(self)

    _ShallowComposer = _Composer  # type: ignore[assignment,misc]  # one of the two


# Line breaks of YAML 1.1 that are ordinary characters in 1.2: pasted texts hold them, and the
# parser would end a line there. Private characters stand in for them while it parses.
_BREAKS: Final = "\x85\u2028\u2029"
_STAND_INS: Final = "\ue085\ue028\ue029"
_HIDE: Final = str.maketrans(_BREAKS, _STAND_INS)
_SHOW: Final = str.maketrans(_STAND_INS, _BREAKS)


def compose(text: str) -> Any:
    """Return the root node of the only document, or None where there is none.

    Raises:
        BadYamlError: TM001 where the text does not parse, TM003 for several documents.
    """
    if text.isascii() or not any(char in text for char in _BREAKS):
        return _compose(text)
    if any(char in text for char in _STAND_INS):
        raise BadYamlError("TM001", "line separators and private characters do not go together", 1)
    root = _compose(text.translate(_HIDE))
    _show(root, set())
    return root


def _show(node: Any, seen: set[int]) -> None:
    """Put the characters back into the scalars; aliases lead to the same node again."""
    if node is None or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node.value, str):
        node.value = node.value.translate(_SHOW)
        return
    for item in node.value:
        for inner in item if isinstance(item, tuple) else (item,):
            _show(inner, seen)


def _compose(text: str) -> Any:
    try:
        return (_ShallowComposer if _is_shallow(text) else _Composer)(text).get_single_node()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, text.find(chr(error.character))) + 1
        what = f"character U+{error.character:04X} is not allowed in YAML"
        raise BadYamlError("TM001", what, line) from error
    except yaml.MarkedYAMLError as error:
        raise _from_marked(error, text) from error


def _is_shallow(text: str) -> bool:
    """Say whether the marks that open a level are fewer than the levels that are allowed.

    In block style each level has a `:`, `-` or `?` of its own.
    """
    return sum(map(text.count, "[{:-?")) < MAX_DEPTH


def _from_marked(error: yaml.MarkedYAMLError, text: str) -> BadYamlError:
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
        return BadYamlError("TM003", what, *place)
    words = ", ".join(part for part in (error.context, error.problem) if part)
    return BadYamlError("TM001", f"does not parse: {words}", *place)
