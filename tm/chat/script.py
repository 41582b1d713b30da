"""A model whose answers are written down: JSON Lines, one completion or list of chunks a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tm.chat.completion import Completion, read_completion
from tm.chat.deltas import joined_chunks
from tm.errors import ChatError, UsageError
from tm.model import Json
from tm.schema.arg_text import read_json


class ScriptedModel:
    """Answers from a list; needs no server and no key."""

    def __init__(self, answers: list[Json], name: str) -> None:
        self._answers = answers
        self._name = name
        self._next = 0

    def complete(self, _request: Mapping[str, Any], on_text: Callable[[str], None]) -> Completion:
        """Return the next answer.

        Raises:
            ChatError: TM519, there is none left, or it is no completion.
        """
        if self._next >= len(self._answers):
            raise ChatError(
                f"the script {self._name} ran out: it has {len(self._answers)} answers, and one "
                "more was asked for",
                code="TM519",
                hint="add a line with the answer that comes next",
            )
        answer = self._answers[self._next]
        self._next += 1
        if isinstance(answer, list):
            return joined_chunks(answer, on_text=on_text)
        completion = read_completion(answer)
        if completion.text:
            on_text(completion.text)
        return completion

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def read_script(path: Path | str) -> ScriptedModel:
    """Return the model of a script file.

    Raises:
        UsageError: TM519, the file can't be read, or a line is no JSON.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--script: {path.name} can't be read: {why}", code="TM519") from error
    answers = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            answers.append(_answer(line, f"{path.name}:{number}"))
    return ScriptedModel(answers, path.name)


def _answer(line: str, place: str) -> Json:
    try:
        return read_json(line)
    except ValueError as error:
        raise UsageError(
            f"--script: {place} is no JSON: {error}",
            code="TM519",
            hint="each line is one chat completion, or one list of stream chunks",
        ) from error
