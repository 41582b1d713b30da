"""What `tm chat` does with its options: one question, or a conversation."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tm.cli.call import RunCall
from tm.cli.lean_imports import leave_out_unused_imports
from tm.errors import EXIT_FAILED, EXIT_OK, ChatError, UsageError
from tm.render.lines import Span, line

if TYPE_CHECKING:
    from tm.chat.conversation import Chat
    from tm.chat.events import ChatSink
    from tm.chat.loop import Choice
    from tm.chat.transcript import Transcript


def run_chat(options: Mapping[str, Any]) -> int:
    """Talk as the options say, and return the exit code.

    Args:
        options: by the parameter names of `tm.cli.chat.chat`.

    Raises:
        TmError: the question has no answer.
    """
    is_once = options["message"] is not None
    _check(options, is_once=is_once)
    leave_out_unused_imports()
    call = RunCall(root=options["root"], tenant=options["tenant"], color=str(options["color"]))
    from tm.render.chat import ChatScreen  # `--help` shows no chat

    streams = sys.stdout if not options["as_json"] and (not is_once or _is_terminal()) else None
    screen = ChatScreen(
        call.screen,
        streams,
        least="debug" if options["verbose"] else "warning",
        quiet=options["quiet"] or options["as_json"],
    )
    with open_chat(call, options, screen) as chat:
        if is_once:
            return _ask_once(call, chat, options, is_streamed=streams is not None)
        from tm.cli.talk import talk  # one question needs no line editing

        return talk(call, chat, screen)


def _check(options: Mapping[str, Any], *, is_once: bool) -> None:
    if not is_once and (options["as_json"] or options["expect_calls"] is not None):
        flag = "--json" if options["as_json"] else "--expect-calls"
        raise UsageError(f"{flag} needs a question", code="TM500", hint="give it with -m TEXT")
    if is_once and not options["message"].strip():
        raise UsageError("the message is empty", code="TM500", hint="give it with -m TEXT")


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def open_chat(call: RunCall, options: Mapping[str, Any], sink: "ChatSink") -> "Chat":
    """Return the chat that the options mean.

    Raises:
        UsageError: the tenant or the script.
    """
    from tm.chat.conversation import Chat  # `--help` needs no chat
    from tm.runner.scope import RunOptions

    tenant = call.tenant_for_assistant(options["assistant"])
    return Chat(
        call.workspace,
        tenant,
        options["assistant"],
        options=RunOptions(
            mode="live" if options["live"] else None,
            dry_run=options["dry_run"],
            chat_id=options["chat_id"],
            user_id=options["user"],
            entry_type="chat",
        ),
        choice=cast("Choice", str(options["protocol"])),
        model=_scripted(options["script"]),
        confirm=_confirm(call) if options["confirm"] else None,
        sink=sink,
    )


def _scripted(path: Path | None) -> Any:
    if path is None:
        return None
    from tm.chat.script import read_script  # most chats have a model

    return read_script(path)


def _confirm(call: RunCall) -> Any:
    from tm.render.lines import pairs  # only here

    def ask(tool: str, args: Mapping[str, Any]) -> bool:
        """Ask on stderr; only a clear yes runs the call, the end of the input is a no."""
        call.screen.show([line(Span("run ", "bold"), Span(tool, "cyan"), f" {pairs(args)}? [y/N]")])
        return sys.stdin.readline().strip().lower() in {"y", "yes", "j", "ja"}

    return ask


def _ask_once(call: RunCall, chat: "Chat", options: Mapping[str, Any], *, is_streamed: bool) -> int:
    transcript = chat.ask(options["message"])
    failure = _unexpected(options["expect_calls"], transcript)
    if options["as_json"]:
        document = transcript.to_json()
        if failure:
            document = {"ok": False, "error": failure.to_json(), **document}
        call.print_json(document)
    elif not is_streamed:
        sys.stdout.write(f"{transcript.answer}\n")
    if failure:
        from tm.render.failure import error_lines  # most chats do what they should

        call.screen.show(error_lines(failure))
        return EXIT_FAILED
    if not (options["as_json"] or options["quiet"] or options["chat_id"]):
        call.screen.show([line(Span(f"chat {chat.chat_id}", "dim"))])
    return EXIT_OK


def _unexpected(expected: str | None, transcript: "Transcript") -> ChatError | None:
    """Return the error where the calls are not those of `--expect-calls`."""
    if expected is None:
        return None
    wanted = [name.strip() for name in expected.split(",") if name.strip()]
    if wanted == list(transcript.calls):
        return None
    made = ", ".join(transcript.calls) or "none"
    return ChatError(
        f"other calls than expected: wanted {', '.join(wanted) or 'none'}; made were {made}",
        code="TM514",
        hint="correct the script, the prompt or --expect-calls",
    )
