"""What comes of a question: the transcript, or an error; secrets masked in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tm.chat.loop import Question
from tm.chat.runs import Answered
from tm.errors import ChatError, TmError
from tm.records import record
from tm.redact import Redactor


@record
class Transcript:
    """One question with its answer, and the chat around it; secrets masked.

    Attributes:
        messages: of the whole chat, as the model saw them, and the answer.
        runs: every call that was run, with what came of it.
        calls: names of all calls that the model made, in order, run or not.
        usage: token counts of all requests of the question.
    """

    answer: str
    rounds: int
    protocol: str
    messages: Sequence[Mapping[str, Any]]
    runs: Sequence[Mapping[str, Any]]
    calls: Sequence[str]
    usage: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Return the document of `tm chat --json` (SPEC 8)."""
        return {
            "answer": self.answer,
            "rounds": self.rounds,
            "protocol": self.protocol,
            "messages": list(self.messages),
            "runs": list(self.runs),
            "usage": dict(self.usage),
        }


def transcript_of(answer: str, question: Question, redactor: Redactor) -> Transcript:
    """Return what came of a question, masked."""
    ran: list[Answered] = [entry for entry in question.answered if entry.report]
    return Transcript(
        answer=redactor.text(answer),
        rounds=question.rounds,
        protocol=question.protocol,
        messages=redactor.json(list(question.messages)),
        runs=redactor.json([entry.to_json() for entry in ran]),
        calls=[entry.tool for entry in question.answered],
        usage=dict(question.usage),
    )


def masked_error(error: TmError, redactor: Redactor) -> TmError:
    """Return the same error with every text masked."""
    from tm.runner.run import masked  # noqa: PLC0415  most questions end well

    if isinstance(error, ChatError):
        copy = ChatError(
            redactor.text(error.message),
            code=error.code,
            hint=redactor.text(error.hint) if error.hint else None,
            at=error.at,
        )
        copy.__cause__ = error.__cause__
        return copy
    return masked(error, redactor.text)
