"""`tm chat` in this process: what it prints where, and the conversation."""

from __future__ import annotations

import io
import json
import stat
import sys

import pytest

from tests.unit.chat.conftest import calls, says
from tm.cli.talk import history_file

ASSISTANT = {"assistants": {"desk": {"system_prompt": "Help.", "tools": ["echo"]}}}
CALL = calls(("echo", {"n": 1}), text="One moment.")


@pytest.fixture
def chat(tm, shop, monkeypatch):
    """Return a function that runs `tm chat -a desk` with scripted answers and a stdin."""
    folder = next((shop / "tenants").iterdir())
    (folder / "desk.yaml").write_text(json.dumps(ASSISTANT))

    def run(*words, answers=(), stdin=""):
        (shop / "a.jsonl").write_text("".join(json.dumps(answer) + "\n" for answer in answers))
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        return tm("chat", "-a", "desk", "--script", str(shop / "a.jsonl"), *words)

    return run


def test_the_answer_alone_goes_to_stdout(chat):
    done = chat("-m", "Hi", answers=[CALL, says("Done.")])
    assert (done.code, done.stdout) == (0, "Done.\n")
    assert done.stderr.startswith('One moment.\n→ echo {"n":1}\n← ok  echo')
    assert "chat c-" in done.stderr
    assert chat("-m", "Hi", "-q", answers=[CALL, says("Done.")]).stderr == ""
    assert "echo starts" in chat("-m", "Hi", "-v", answers=[CALL, says("Done.")]).stderr


def test_a_failed_call_is_one_line(chat):
    done = chat("-m", "Hi", answers=[calls(("echo", {"n": "x"})), says("Sorry.")])
    assert "← TM501  echo  the arguments of 'echo' are not valid" in done.stderr


def test_json_is_the_transcript(chat):
    done = chat("-m", "Hi", "--json", answers=[CALL, says("Done.")])
    assert set(done.json) == {"answer", "rounds", "protocol", "messages", "runs", "usage"}
    assert set(done.json["runs"][0]) == {"tool", "args", "ok", "result", "error", "log_id"}
    assert done.stderr == ""


def test_expected_calls(chat):
    answers = [CALL, says("Done.")]
    assert chat("-m", "Hi", "--expect-calls", "echo", answers=answers).code == 0
    done = chat("-m", "Hi", "--expect-calls", "", answers=answers)
    assert (done.code, "wanted none; made were echo" in done.stderr) == (1, True)
    wrong = chat("-m", "Hi", "--json", "--expect-calls", "a,b", answers=[says("Done.")])
    assert (wrong.code, wrong.json["error"]["code"]) == (1, "TM514")
    assert "made were none" in wrong.json["error"]["message"]


@pytest.mark.parametrize("words", [["--json"], ["--expect-calls", "x"], ["-m", "  "]])
def test_calls_that_mean_nothing_are_refused(chat, words):
    assert chat(*words).code == 2


def test_lines_are_questions_and_commands(chat):
    lines = "Hi\n\n/log\n/tools\n/help\n/what\n/quit\nnever asked\n"
    done = chat(stdin=lines, answers=[CALL, says("Done.")])
    assert done.stdout == "One moment.\nDone.\n"
    for part in ("ok       echo", "echo  ", "/quit", "/what is no command"):
        assert part in done.stderr


def test_an_error_does_not_end_a_conversation(chat):
    done = chat(stdin="Hi\nAgain\n/log\n", answers=[])
    assert (done.code, done.stderr.count("ran out")) == (0, 2)
    assert "no tool has run in this chat" in done.stderr


def test_ctrl_c_stops_the_answer_and_not_the_program(chat, monkeypatch):
    from tm.chat.conversation import Chat

    answered = []

    def ask(_self, text):
        if text == "slow":
            raise KeyboardInterrupt
        answered.append(text)

    monkeypatch.setattr(Chat, "ask", ask)
    done = chat(stdin="slow\nnext\n")
    assert (done.code, answered) == (0, ["next"])
    assert "stopped" in done.stderr


def test_ctrl_c_at_the_prompt_drops_the_line(chat, monkeypatch):
    typed = iter([KeyboardInterrupt(), "/quit"])

    def read(_prompt):
        value = next(typed)
        if isinstance(value, BaseException):
            raise value
        return value

    monkeypatch.setattr("builtins.input", read)
    assert chat().code == 0


def test_the_history_is_the_users_alone(chat, monkeypatch, tmp_path):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    typed = iter(["/quit"])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(typed))
    real = io.StringIO
    monkeypatch.setattr(io, "StringIO", Terminal)
    done = chat()
    monkeypatch.setattr(io, "StringIO", real)
    path = history_file({"XDG_STATE_HOME": str(tmp_path)})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "/help shows commands" in done.stderr


def test_the_history_lies_in_the_state_folder():
    assert history_file({"HOME": "/home/x"}).as_posix() == "/home/x/.local/state/tm/chat_history"


def test_confirm_reads_the_answer_from_stdin(chat, shop):
    folder = next((shop / "tenants").iterdir())
    pay = {"description": "Pay.", "api": "erp", "method": "POST", "path": "/p"}
    apis = {"erp": {"base_url": "http://127.0.0.1:9"}}
    (folder / "pay.yaml").write_text(json.dumps({"tools": {"pay": pay}, "apis": apis}))
    desk = {"assistants": {"desk": {"tools": ["pay"]}}}
    (folder / "desk.yaml").write_text(json.dumps(desk))
    answers = [calls(("pay", {})), says("Done.")]
    refused = chat("-m", "x", "--confirm", "--dry-run", answers=answers, stdin="no\n")
    assert "TM517" in refused.stderr
    taken = chat("-m", "x", "--confirm", "--dry-run", answers=answers, stdin="y\n")
    assert "dry run: no write was sent" in taken.stderr


def test_an_unknown_assistant_without_a_tenant(chat, shop, tm):
    second = shop / "tenants" / "second"
    second.mkdir()
    (second / "x.yaml").write_text("apis: {}\n")
    assert chat("-m", "Hi", answers=[says("Hi")]).stdout == "Hi\n"
    done = tm("chat", "-a", "nobody", "-m", "x", "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "TM524")


def test_a_machine_without_line_editing_still_talks(chat, monkeypatch, tmp_path):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "readline", None)
    monkeypatch.setattr("builtins.input", lambda _prompt: "/quit")
    monkeypatch.setattr(io, "StringIO", Terminal)
    assert chat().code == 0
    assert list(tmp_path.glob("tm/chat_history")) == []


def test_without_a_script_the_assistants_model_is_asked(tm, shop):
    folder = next((shop / "tenants").iterdir())
    (folder / "desk.yaml").write_text(json.dumps(ASSISTANT))
    done = tm("chat", "-a", "desk", "-m", "Hi", "--json")
    assert (done.code, done.json["ok"]) == (2, False)
    assert "assistant 'desk' names no model" in done.json["error"]["message"]


def test_a_chat_that_is_named_is_not_told_again(chat):
    done = chat("-m", "Hi", "--chat", "c-7", answers=[says("Hi")])
    assert (done.code, done.stdout, done.stderr) == (0, "Hi\n", "")
