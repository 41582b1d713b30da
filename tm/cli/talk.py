"""The conversation in a terminal: lines with editing and history, and a few commands."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tm.cli.call import RunCall
from tm.errors import EXIT_OK, TmError
from tm.render.chat import ChatScreen, tool_lines
from tm.render.failure import error_lines
from tm.render.lines import Line, Span, line

if TYPE_CHECKING:
    from tm.chat.conversation import Chat

_HISTORY_LINES = 1000
_HELP = {
    "/tools": "the tools of this assistant",
    "/log": "the runs of this chat",
    "/help": "this list",
    "/quit": "leave; Ctrl-D does it too. Ctrl-C stops an answer",
}


def talk(call: RunCall, chat: "Chat", screen: ChatScreen) -> int:
    """Read questions until the end of the input, and return the exit code."""
    if sys.stdin.isatty():
        head = f"{chat.assistant} of {chat.tenant}, chat {chat.chat_id}; /help shows commands"
        call.screen.show([line(Span(head, "dim"))])
    with _line_editing(call.environ):
        for text in _questions():
            if text in {"/quit", "/exit"}:
                break
            _take(call, chat, screen, text)
    return EXIT_OK


def _questions() -> Iterator[str]:
    """Yield what is typed; Ctrl-C at the prompt drops the line, Ctrl-D ends."""
    prompt = "you> " if sys.stdin.isatty() else ""
    way_out = " (Ctrl-D or /quit leaves)"
    while True:
        try:
            text = input(prompt).strip()
        except KeyboardInterrupt:
            sys.stdout.write(f"{way_out}\n" if prompt else "\n")
            way_out = ""  # once is enough
            continue
        except EOFError:
            sys.stdout.write("\n" if prompt else "")  # the shell's prompt has a line of its own
            return
        if text:
            yield text


def _take(call: RunCall, chat: "Chat", screen: ChatScreen, text: str) -> None:
    """Answer one line; whatever goes wrong, the conversation goes on."""
    try:
        if text.startswith("/"):
            call.screen.show(_command(call, chat, text))
        else:
            chat.ask(text)
    except KeyboardInterrupt:
        screen.end_line()
        call.screen.show([line(Span("stopped", "yellow"))])
    except TmError as error:
        screen.end_line()
        call.screen.show(error_lines(error))


def _command(call: RunCall, chat: "Chat", text: str) -> list[Line]:
    word = text.split(maxsplit=1)[0]
    if word == "/tools":
        return tool_lines(list(chat.tools().values()))
    if word == "/log":
        return _log_lines(call, chat)
    if word == "/help":
        return [line(Span(f"{name:<8}", "cyan"), what) for name, what in _HELP.items()]
    return [line(Span(f"{word} is no command; there are {', '.join(_HELP)}", "yellow"))]


def _log_lines(call: RunCall, chat: "Chat") -> list[Line]:
    from tm.store.rows import Filters  # only for /log

    rows = call.workspace.log.entries(Filters(tenant=chat.tenant, chat=chat.chat_id))
    if not rows:
        return [line("no tool has run in this chat")]
    return [
        line(Span(f"{row.id:>5}  ", "dim"), f"{row.state:<7}  ", Span(row.tool_name, "cyan"))
        for row in reversed(rows)
    ]


@contextmanager
def _line_editing(environ: Mapping[str, str]) -> Iterator[None]:
    """Let `input` edit lines and know those of earlier conversations, on a terminal."""
    if not sys.stdin.isatty():
        yield
        return
    try:
        import readline  # only a conversation edits lines; Windows has none
    except ImportError:
        yield
        return
    path = history_file(environ)
    with suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(_HISTORY_LINES)
    try:
        yield
    finally:
        with suppress(OSError):
            _prepare(path)
            readline.write_history_file(path)
            path.chmod(0o600)


def history_file(environ: Mapping[str, str]) -> Path:
    """Return where the lines are kept: in the user's state folder."""
    state = environ.get("XDG_STATE_HOME")
    folder = Path(state) if state else Path(environ.get("HOME", "~")).expanduser() / ".local/state"
    return folder / "tm" / "chat_history"


def _prepare(path: Path) -> None:
    """Make the file so that only its owner reads it, before a line is written."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
