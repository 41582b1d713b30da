"""What a chat tells while it happens; masked, but for the model's own text as it comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tm.errors import TmError
from tm.model import Json
from tm.records import record
from tm.runner.events import Event, Report


@record
class TextShown:
    """A piece of the model's text, as it comes."""

    text: str


@record
class TextEnded:
    """The text of one answer is complete.

    Attributes:
        is_answer: no calls follow: it is the answer to the question.
    """

    is_answer: bool


@record
class CallBegan:
    """A tool is about to run for the model."""

    tool: str
    args: Json


@record
class CallEnded:
    """A call was answered.

    Attributes:
        tool: as the model called it.
        report: of the run; None where nothing was run.
        error: what the model was told instead of a result; None: a result.
    """

    tool: str
    report: Report | None
    error: TmError | None


@record
class Noted:
    """Something worth a line: a wait, a fallback, an answer that was cut off."""

    text: str


ChatEvent: TypeAlias = TextShown | TextEnded | CallBegan | CallEnded | Noted | Event
ChatSink: TypeAlias = Callable[[ChatEvent], None]
Confirm: TypeAlias = Callable[[str, Mapping[str, Any]], bool]
"""Asked before a call that writes: tool and arguments; True: run it."""
