"""What a chat needs of a model: one answer to one request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from tm.chat.completion import Completion


class Model(Protocol):
    """Whatever answers: a server, or a script."""

    def complete(self, request: Mapping[str, Any], on_text: Callable[[str], None]) -> Completion:
        """Return the answer to a request.

        Args:
            request: the body of a chat completion, without `stream`.
            on_text: told each piece of text as it comes.

        Raises:
            ChatError: TM519.
        """
        ...

    def close(self) -> None:
        """Close what is open."""
        ...
