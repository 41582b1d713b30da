"""Lines on a terminal: what needs no layout looks just as Rich would print it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from tm.render.lines import Line, Span, Unbroken
from tm.render.terminal import RichScreen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed_by_rich(line: Line, *, unbroken: bool | None = None) -> str:
    stream = Terminal()
    console = Console(
        file=stream, force_terminal=True, no_color=False, color_system="standard",
        markup=False, highlight=False, emoji=False,
    )  # fmt: skip
    console.print(Text.assemble(*line), soft_wrap=unbroken)
    return stream.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        [Span("plain")],
        [Span("12:00:01 ", "dim"), Span("info ", "bold green"), Span("[red]no markup[/red]")],
        [Span("a", "red"), Span("b", "red"), Span(" ")],
        [Span("x" * 40)],
        [Span("x" * 41)],
        [Span("word " * 20, "cyan")],
        [Span("Käse, 日本語", "yellow")],
        [Span("two\nlines\tand a tab", "magenta")],
        [],
    ],
)
def test_a_line_looks_as_rich_prints_it(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm-256color")
    stream = Terminal()
    RichScreen(stream).show([line])
    assert stream.getvalue() == printed_by_rich(line)


def test_a_line_to_be_copied_is_never_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    RichScreen(stream).show([Unbroken([Span("tm test-tool findTea --arg id=INV-2026")])])
    assert stream.getvalue() == "tm test-tool findTea --arg id=INV-2026\n"
