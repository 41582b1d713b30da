"""Calls that a model makes again and again with the same result (SPEC 8)."""

from __future__ import annotations

import json
from typing import Final

from tm.chat.calls import Call

RUN_TIMES: Final = 2
"""The third call with the same result is not run."""
LAST_TIME: Final = 5
"""The fifth ends the rounds."""


class Repeats:
    """Counts the calls of one question."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, str]] = {}
        self.is_exhausted = False

    def is_known(self, call: Call) -> bool:
        """Tell whether a call gave the same result twice, so that it is not run again."""
        return self._seen.get(key_of(call), (0, ""))[0] >= RUN_TIMES

    def note_skipped(self, call: Call) -> None:
        """Count a call that was not run."""
        times, result = self._seen[key_of(call)]
        self._seen[key_of(call)] = (times + 1, result)
        self.is_exhausted = self.is_exhausted or times + 1 >= LAST_TIME

    def note_result(self, call: Call, result: str) -> None:
        """Count a call with the text that the model got for it."""
        times, before = self._seen.get(key_of(call), (0, ""))
        same = _sorted(result)
        self._seen[key_of(call)] = (times + 1 if same == before else 1, same)


def _sorted(text: str) -> str:
    """Return JSON text with its keys in order, as results may come in another one each time."""
    return json.dumps(json.loads(text), sort_keys=True)


def key_of(call: Call) -> str:
    """Return what calls have in common that ask for the same; the order of keys does not count."""
    args = call.args if call.args is not None else str(call.raw)
    return json.dumps([call.name, args], sort_keys=True, default=str)
