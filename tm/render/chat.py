"""A chat on a screen: text as it comes, and the tool runs between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from tm.chat.events import CallBegan, CallEnded, ChatEvent, Noted, TextEnded, TextShown
from tm.model import Tool
from tm.render.lines import Line, Span, duration, line, pairs, visible
from tm.render.live import LiveLog
from tm.render.screen import Screen
from tm.runner.events import Level


class ChatScreen:
    """Shows what a chat tells.

    Args:
        screen: for everything but the model's text.
        text: takes the model's text as it comes; None: the caller prints the answer, and what
            is said before calls is a line on the screen.
        least: level below which log lines of the runs are left out; None: none are shown.
        quiet: show nothing but the model's text.
    """

    def __init__(
        self, screen: Screen, text: TextIO | None, *, least: Level | None, quiet: bool = False
    ) -> None:
        self._screen = screen
        self._text = text
        self._log = LiveLog(screen, least=least, curl=False)
        self._quiet = quiet
        self._in_line = False
        self._said = ""

    def __call__(self, event: ChatEvent) -> None:
        """Show an event."""
        if isinstance(event, TextShown):
            self._say(event.text)
        elif isinstance(event, TextEnded):
            self._end_text(is_answer=event.is_answer)
        elif not self._quiet:
            self._tell(event)

    def _tell(self, event: ChatEvent) -> None:
        if isinstance(event, CallBegan):
            self._lines(
                [line(Span("→ ", "cyan"), Span(event.tool, "cyan"), f" {pairs(event.args)}")]
            )
        elif isinstance(event, CallEnded):
            self._lines([ended_line(event)])
        elif isinstance(event, Noted):
            self._lines([line(Span("note: ", "yellow"), event.text)])
        elif not isinstance(event, TextShown | TextEnded):
            self._log(event)

    def _end_text(self, *, is_answer: bool) -> None:
        said, self._said = self._said.strip(), ""
        self.end_line()
        if said and not is_answer and not self._quiet:
            self._screen.show([line(part) for part in said.split("\n")])

    def _say(self, text: str) -> None:
        if self._text is None:
            self._said += text
        else:
            self._text.write(visible(text))
            self._text.flush()
            self._in_line = not text.endswith("\n")

    def end_line(self) -> None:
        """End the line in which the model's text stopped."""
        if self._in_line and self._text is not None:
            self._text.write("\n")
            self._text.flush()
        self._in_line = False

    def _lines(self, lines: Sequence[Line]) -> None:
        self.end_line()
        self._screen.show(lines)


def ended_line(event: CallEnded) -> Line:
    """Return the line that says how a call ended."""
    error, report = event.error, event.report
    tail = ""
    if report is not None:
        log = "" if report.log_id is None else f", log {report.log_id}"
        dry = ", dry run: no write was sent" if report.dry_run else ""
        tail = f"  {duration(report.duration_ms)}{log}{dry}"
    if error is None:
        return line(
            Span("← ", "cyan"), Span("ok", "bold green"), f"  {event.tool}", Span(tail, "dim")
        )
    first = error.message.split("\n")[0]
    return line(
        Span("← ", "cyan"),
        Span(error.code, "bold red"),
        f"  {event.tool}  {first[:300]}",
        Span(tail, "dim"),
    )


def tool_lines(tools: Sequence[Tool]) -> list[Line]:
    """Return the tools of an assistant with their descriptions."""
    if not tools:
        return [line("this assistant has no tools")]
    return [line(Span(tool.name, "cyan"), f"  {tool.description}") for tool in tools]
