from __future__ import annotations

import io
import re
from typing import Any

import pytest

from tm.render.lines import Span, Unbroken, line
from tm.render.screen import PlainScreen, open_screen, write_json

ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_whole_lines_without_styles() -> None:
    stream = io.StringIO()
    open_screen("auto", stream, {}).show([line(Span("x" * 300, "red"))])
    assert stream.getvalue() == "x" * 300 + "\n"


def test_a_terminal_without_colours_gets_plain_lines() -> None:
    assert isinstance(open_screen("auto", Terminal(), {"NO_COLOR": "1"}), PlainScreen)


@pytest.mark.parametrize("width", ["20", "80", "200"])
def test_a_terminal_wraps_at_its_width_and_loses_nothing(
    width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    stream = Terminal()
    words = " ".join(f"word{n}" for n in range(60))
    open_screen("auto", stream, {}).show([line(Span(words, "green"))])
    rows = ANSI.sub("", stream.getvalue()).splitlines()
    assert max(map(len, rows)) <= int(width)
    assert " ".join(row.strip() for row in rows) == words


@pytest.mark.parametrize(
    "text", ["[/b]", "src/[id].tsx", "[/]", "[bold]x[/bold]", ":smile:", "\\["]
)
def test_text_is_never_read_as_markup(text: str) -> None:
    stream = Terminal()
    open_screen("always", stream, {}).show([line(text)])
    assert ANSI.sub("", stream.getvalue()) == text + "\n"


def test_a_coloured_pipe_is_not_wrapped() -> None:
    stream = io.StringIO()
    open_screen("always", stream, {}).show([line(Span("x " * 300 + "x", "red"))])
    assert stream.getvalue().count("\n") == 1
    assert "\x1b[31m" in stream.getvalue()


@pytest.mark.parametrize(("color", "colour"), [("never", False), ("always", True)])
def test_json_is_one_document_with_one_newline(color: str, colour: bool) -> None:
    stream = io.StringIO()
    value: Any = {"a": 1}
    write_json(value, color=color, stream=stream, environ={})
    assert ("\x1b" in stream.getvalue()) is colour
    assert ANSI.sub("", stream.getvalue()) == '{\n  "a": 1\n}\n'


def test_what_is_copied_gets_no_newline_at_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    stream = Terminal()
    command = "curl -X POST " + " ".join(f"'{n}'" for n in range(40))
    open_screen("auto", stream, {}).show([Unbroken(line(command))])
    assert ANSI.sub("", stream.getvalue()) == command + "\n"
