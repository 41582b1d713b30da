"""Tries: which failures are worth another one, and how long to wait before it.

What lives here: the policy of SPEC section 3.2. What must not: auth, the network.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tm.http.messages import Answer, Call, Transport, UnansweredError

RETRIED_STATUSES: Final = frozenset({429, 502, 503, 504})
FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 10.0
LONGEST_RETRY_AFTER_S: Final = 60.0

Log = Callable[[str, str, Mapping[str, Any]], None]


class Clock(NamedTuple):
    """Time and chance, handed in so that tests own them.

    Attributes:
        monotonic: seconds that only grow.
        wall: seconds since 1970.
        sleep: waits that many seconds.
        random: a number from 0 up to 1.
    """

    monotonic: Callable[[], float]
    wall: Callable[[], float]
    sleep: Callable[[float], None]
    random: Callable[[], float]


def _chance() -> float:
    from random import random  # noqa: PLC0415  only a second try needs it

    return random()  # noqa: S311  spreads the tries of many, keeps no secret


REAL_CLOCK = Clock(time.monotonic, time.time, time.sleep, _chance)


class Retried:
    """Sends again what may be sent again. Every try is a log line."""

    __slots__ = ("_clock", "_inner", "_log", "_remaining_s")

    def __init__(
        self, inner: Transport, clock: Clock, remaining_s: Callable[[], float], log: Log
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._remaining_s = remaining_s
        self._log = log

    def send(self, call: Call) -> Answer:
        """Return the last try's answer, with the number of tries."""
        attempt = 1
        while True:
            try:
                answer = self._inner.send(call)
            except UnansweredError as error:
                error.attempts = attempt
                wait_s = self._wait(call, attempt, None) if error.may_retry else None
                self._note(call, attempt, error.message, wait_s)
                if wait_s is None:
                    raise
            else:
                wait_s = self._wait(call, attempt, answer)
                self._note(call, attempt, str(answer.status), wait_s)
                if wait_s is None:
                    return answer._replace(attempts=attempt) if attempt > 1 else answer
            self._clock.sleep(wait_s)
            attempt += 1

    def _wait(self, call: Call, attempt: int, answer: Answer | None) -> float | None:
        """Return the seconds to wait before the next try, or None where there is none."""
        if answer is not None and answer.status not in RETRIED_STATUSES:
            return None
        if not call.is_retried or attempt >= call.attempts:
            return None
        asked_s = self._asked_s(answer) if answer else None
        if asked_s is not None:
            wait_s = asked_s
            if wait_s > LONGEST_RETRY_AFTER_S:
                self._log("warning", f"Retry-After asks for {wait_s:g} s, which is too long", {})
                return None
        else:
            longest = min(FIRST_WAIT_S * 2 ** (attempt - 1), LONGEST_WAIT_S)
            wait_s = longest * (0.5 + self._clock.random() / 2)
        return wait_s if wait_s < self._remaining_s() else None

    def _asked_s(self, answer: Answer) -> float | None:
        return retry_after_s(answer.headers.get("retry-after", ""), self._clock.wall())

    def _note(self, call: Call, attempt: int, outcome: str, wait_s: float | None) -> None:
        of = f"{call.method} {call.shown_url}"
        said = outcome if outcome.startswith(of) else f"{of}: {outcome}"
        if wait_s is not None:
            text = f"{said} (try {attempt} of {call.attempts}), again in {wait_s:.2g} s"
            self._log("warning", text, {"attempt": attempt})
            return
        level = "info" if outcome[0] in "123" else "warning"
        tries = f" (try {attempt} of {call.attempts})" if attempt > 1 else ""
        self._log(level, f"{said}{tries}", {"attempt": attempt})


def retry_after_s(header: str, now_s: float) -> float | None:
    """Return the seconds that `Retry-After` asks for (RFC 9110, 10.2.3); None: nothing usable.

    Servers of models send fractions of a second too, which the RFC does not know.

    Args:
        header: as it came; empty: there is none.
        now_s: seconds since 1970, from which a date is counted; one that is past is 0.
    """
    text = header.strip()
    if not text:
        return None
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text[:12])
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  slow, and a date is rare

    try:
        return max(parsedate_to_datetime(text).timestamp() - now_s, 0.0)
    except (ValueError, OverflowError):
        return None
