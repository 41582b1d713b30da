"""A sink that shows a run's events as they happen."""

from __future__ import annotations

from tm.render.lines import Unbroken, line
from tm.render.log_line import log_lines
from tm.render.screen import Screen
from tm.runner.events import Event, HttpCall, Level, LogLine

_WEIGHTS: dict[Level, int] = {"debug": 0, "info": 1, "success": 1, "warning": 2, "error": 3}


class LiveLog:
    """Shows log lines, and requests as curl commands, the moment they come.

    Args:
        screen: where they are shown.
        least: level below which a line is left out; None: no lines at all.
        curl: show each request as a curl command.
    """

    def __init__(self, screen: Screen, *, least: Level | None, curl: bool) -> None:
        self._screen = screen
        self._least = len(_WEIGHTS) if least is None else _WEIGHTS[least]
        self._curl = curl

    def __call__(self, event: Event) -> None:
        """Show the event if it is one to be shown."""
        if not self.is_shown(event):
            return
        if isinstance(event, LogLine):
            self._screen.show(log_lines(event))
        elif isinstance(event, HttpCall):
            self._screen.show([Unbroken(line(event.curl))])

    def is_shown(self, event: Event) -> bool:
        """Say whether an event is one to be shown."""
        if isinstance(event, LogLine):
            return _WEIGHTS[event.level] >= self._least
        return isinstance(event, HttpCall) and self._curl and bool(event.curl)
