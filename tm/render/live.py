"""A sink that shows a run's events as they happen."""

from __future__ import annotations

from tm.render.lines import line
from tm.render.log_line import log_lines
from tm.render.screen import Screen
from tm.runner.events import Event, HttpCall, LogLine


class LiveLog:
    """Shows log lines, and requests as curl commands, the moment they come."""

    def __init__(self, screen: Screen, *, quiet: bool, verbose: bool, curl: bool) -> None:
        self._screen = screen
        self._quiet = quiet
        self._verbose = verbose
        self._curl = curl

    def __call__(self, event: Event) -> None:
        """Show the event if it is one to be shown."""
        if isinstance(event, LogLine):
            if not self._quiet and (self._verbose or event.level != "debug"):
                self._screen.show(log_lines(event))
        elif isinstance(event, HttpCall) and self._curl and event.curl:
            self._screen.show([line(event.curl)])
