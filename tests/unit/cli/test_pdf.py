"""`tm pdf` as a person and as a script calls it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.unit.cli.conftest import InProcess
from tm.cli import pdf_file
from tm.cli.pdf_file import read_pdf_file
from tm.errors import ToolError, UsageError

PDFS = ROOT / "tests/data/pdfs"
HELLO = str(PDFS / "helloworld-bad.pdf")


@pytest.fixture
def key(tm: InProcess) -> str:
    return str(tm("pdf", "add", HELLO, "--chat", "c-1", "--json").json["key"])


def test_add_prints_the_key_and_how_it_is_used(tm: InProcess) -> None:
    done = tm("pdf", "add", HELLO, "--chat", "c-1")
    key, rest = done.stdout.splitlines()
    assert key.startswith("pdf-")
    assert rest == (
        f"helloworld-bad.pdf, 1 page, 13 characters; use it as <PDF:{key}> with --chat c-1"
    )


def test_add_as_json_has_the_documented_shape(tm: InProcess) -> None:
    done = tm("pdf", "add", HELLO, "--chat", "c-1", "--json")
    assert done.json == {
        "key": done.json["key"], "file": "helloworld-bad.pdf", "pages": 1, "chars": 13,
    }  # fmt: skip


def test_a_run_of_the_chat_gets_the_text_and_another_chat_a_warning(
    tm: InProcess, shop: Path, key: str
) -> None:
    (shop / "tenants/acme/say.yaml").write_text(
        "tools:\n  say:\n    description: Say.\n    handler: say.py:say\n"
        "    parameters: {type: object, properties: {t: {type: string, description: T.}}}\n"
    )
    (shop / "tenants/acme/say.py").write_text(
        'def say(results, args, ctx):\n    ctx["logger"].info("a")\n    return args\n'
    )
    words = ("test-tool", "say", "--arg", f"t=[<PDF:{key}>]", "--json")
    done = tm(*words, "--chat", "c-1").json
    assert done["result"] == {"t": "[Hello, world!]"}
    assert done["args"] == {"t": f"[<PDF:{key}>]"}
    for other, why in ((("--chat", "c-2"), "this chat has no such PDF"), ((), "of no chat")):
        missed = tm(*words, *other).json
        assert why in missed["log"][0]["message"]
        assert missed["result"] == {"t": f"[<PDF:{key}>]"}
        assert [line["level"] for line in missed["log"]][:1] == ["warning"]


def test_list_shows_a_chat_or_all_of_them(tm: InProcess, key: str) -> None:
    tm("pdf", "add", str(PDFS / "attachment.pdf"), "--chat", "c-2")
    one = tm("pdf", "list", "--chat", "c-1", "--json").json["pdfs"]
    assert [sorted(row) for row in one] == [["added_at", "chars", "file", "key", "pages"]]
    every = tm("pdf", "list", "--json").json["pdfs"]
    assert [row["chat"] for row in every] == ["c-1", "c-2"]
    table = tm("pdf", "list").stdout.splitlines()
    assert table[0].split() == ["key", "chat", "pages", "characters", "added", "file"]
    assert table[1].split()[:4] == [key, "c-1", "1", "13"]


def test_without_a_command_the_help_is_named(tm: InProcess) -> None:
    done = tm("pdf")
    assert done.code == 2
    assert "tm pdf takes a command: " in done.stderr


def test_an_empty_list_says_how_to_fill_it(tm: InProcess) -> None:
    assert "tm pdf add FILE --chat ID" in tm("pdf", "list").stdout
    assert tm("pdf", "list", "--json").json == {"pdfs": []}


def test_show_prints_the_text_and_rm_forgets_it(tm: InProcess, key: str) -> None:
    assert tm("pdf", "show", key).stdout == "Hello, world!\n"
    assert tm("pdf", "show", key, "--json").json == {"key": key, "text": "Hello, world!"}
    assert f"{key} of chat c-1 is forgotten" in tm("pdf", "rm", key).stderr
    assert tm("pdf", "show", key, "--json").code == 1
    tm("pdf", "add", HELLO, "--chat", "c-1")
    assert tm("pdf", "rm", key, "--chat", "c-1", "--json").json == {"key": key}


def test_an_unknown_key_comes_with_the_nearest_of_the_same_chat(tm: InProcess, key: str) -> None:
    near = tm("pdf", "show", key[:-1], "--json")
    assert (near.code, near.json["error"]["code"]) == (1, "TM522")
    assert f"did you mean '{key}'?" in near.json["error"]["message"]
    other = tm("pdf", "show", key, "--chat", "c-9")
    assert other.code == 1
    assert "did you mean" not in other.stderr


def test_a_key_of_several_chats_needs_the_chat(tm: InProcess, key: str) -> None:
    tm("pdf", "add", HELLO, "--chat", "c-2")
    done = tm("pdf", "rm", key)
    assert done.code == 2
    assert "2 chats: c-1, c-2" in done.stderr


@pytest.mark.parametrize("chat", ["", "  ", "x" * 201])
def test_a_chat_without_a_name_is_refused(tm: InProcess, chat: str) -> None:
    assert tm("pdf", "add", HELLO, "--chat", chat).code == 2


def test_add_without_a_chat_says_which_option_is_missing(tm: InProcess) -> None:
    done = tm("pdf", "add", HELLO)
    assert done.code == 2
    assert "--chat" in done.stderr


def test_a_damaged_page_is_warned_of(tm: InProcess) -> None:
    done = tm("pdf", "add", str(PDFS / "Pages-tree-refs.pdf"), "--chat", "c-1")
    assert done.code == 0
    assert "page 2 could not be read" in done.stderr


def test_an_encrypted_file_is_read_with_its_password(tm: InProcess) -> None:
    locked = str(PDFS / "issue6010_1.pdf")
    refused = tm("pdf", "add", locked, "--chat", "c-1", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "TM522")
    assert tm("pdf", "add", locked, "--chat", "c-1", "--password", "abc").code == 0


def test_the_password_stays_out_of_reports() -> None:
    from tm.cli.crash import masked_words

    words = ["pdf", "add", "a.pdf", "--password", "abc"]
    assert masked_words(words) == ["pdf", "add", "a.pdf", "--password", "***"]


def test_a_missing_file_comes_with_the_nearest_beside_it(tm: InProcess, shop: Path) -> None:
    (shop / "invoice.pdf").write_bytes(b"%PDF-")
    done = tm("pdf", "add", "invoce.pdf", "--chat", "c-1")
    assert done.code == 2
    assert "did you mean 'invoice.pdf'?" in done.stderr
    assert tm("pdf", "add", "nowhere/a.pdf", "--chat", "c-1").code == 2


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    for path in (tmp_path / "pipe.pdf", tmp_path, Path("a\0b")):
        with pytest.raises(UsageError):
            read_pdf_file(path)


def test_a_large_file_is_refused_after_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"x" * 30)
    monkeypatch.setattr(pdf_file, "MAX_BYTES", 20)
    with pytest.raises(ToolError, match="too large"):
        read_pdf_file(tmp_path / "a.pdf")
