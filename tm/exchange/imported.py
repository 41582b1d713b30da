"""What an import makes of a document: files to be written, and what could not be taken over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tm.config.edit.written import block_entry
from tm.records import field, record


@record
class Imported:
    """The outcome of reading one document.

    Attributes:
        files: path below the tenant's folder, to text.
        tools: names of the new tools, in the document's order.
        variables: names of the variables that have to be set before the tools can run.
        notes: what was left out or needs a look, a sentence each.
    """

    files: Mapping[str, str]
    tools: tuple[str, ...]
    variables: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)


def config_text(declared: Mapping[str, Any]) -> str:
    """Return a config file that declares this."""
    return "".join(f"{block_entry(key, value, 0)}\n" for key, value in declared.items())


def one_line(text: object, limit: int = 900) -> str:
    """Return a description in one line, shortened behind a word.

    Args:
        text: anything; what is no text gives an empty one.
        limit: in characters; OpenAI refuses a description of more than 1,024.
    """
    plain = " ".join(text.split()) if isinstance(text, str) else ""
    if len(plain) <= limit:
        return plain
    return plain[:limit].rsplit(" ", 1)[0].rstrip(" ,.;:") + " ..."
