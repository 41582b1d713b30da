"""Texts of PDFs in the database: keys, order, and who may see what."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tm.errors import UsageError
from tm.store.pdfs import StoredPdfs


@pytest.fixture
def texts(tmp_path):
    stored = StoredPdfs.of_workspace(tmp_path, {})
    yield stored
    stored.close()


def put(texts, data=b"a", *, tenant="acme", chat="c-1", text="text"):
    return texts.add(data, tenant=tenant, chat_id=chat, file="a.pdf", pages=1, text=text)


def same_beginning():
    """Two files whose SHA-256 begin with the same four digits, and not with the same five."""
    seen: dict[str, bytes] = {}
    for number in range(100_000):
        data = str(number).encode()
        digest = sha256(data).hexdigest()
        other = seen.setdefault(digest[:4], data)
        if other != data and sha256(other).hexdigest()[4] != digest[4]:
            return other, data
    raise AssertionError("no such pair")


def test_the_key_is_the_beginning_of_the_hash_and_finds_the_text(texts):
    entry = put(texts, b"a", text="Hallo")
    assert entry.key == "pdf-" + sha256(b"a").hexdigest()[:4]
    assert texts.text("acme", "c-1", entry.key) == "Hallo"
    assert entry.to_json() == {"key": entry.key, "file": "a.pdf", "pages": 1, "chars": 5}


def test_a_key_is_longer_only_while_another_pdf_of_the_chat_has_it(texts):
    first, second = same_beginning()
    short, longer = put(texts, first).key, put(texts, second).key
    assert longer[:8] == short
    assert len(longer) == 9
    assert put(texts, second, chat="c-2").key == short
    assert texts.remove("acme", "c-1", short)
    assert put(texts, second).key == longer, "a file that is there keeps its key"
    assert texts.remove("acme", "c-1", longer)
    assert put(texts, second).key == short


def test_the_same_file_again_keeps_its_key_and_becomes_the_latest(texts):
    key = put(texts, b"a", text="old").key
    put(texts, b"b", text="other")
    assert texts.latest("acme", "c-1") == "other"
    assert put(texts, b"a", text="new").key == key
    assert texts.latest("acme", "c-1") == "new"
    assert len(texts.entries("acme", "c-1")) == 2


@pytest.mark.parametrize(
    ("tenant", "chat"), [("acme", "c-2"), ("other", "c-1"), ("acme", None), ("acme", "")]
)
def test_other_chats_and_tenants_find_nothing(texts, tenant, chat):
    key = put(texts).key
    assert texts.text(tenant, chat, key) is None
    assert texts.latest(tenant, chat) is None
    assert not texts.remove(tenant, chat or "", key)
    assert texts.text("acme", "c-1", key) == "text"


def test_keys_are_case_sensitive_and_no_pattern(texts):
    key = put(texts).key
    for other in (key.upper(), "pdf-%", "pdf-____", key + " ", "x\ud800"):
        assert texts.text("acme", "c-1", other) is None


def test_entries_are_of_one_chat_or_of_all_in_order_of_adding(texts):
    put(texts, b"1")
    put(texts, b"2", chat="c-2")
    put(texts, b"3")
    put(texts, b"4", tenant="other")
    assert [entry.chat_id for entry in texts.entries("acme")] == ["c-1", "c-2", "c-1"]
    assert len(texts.entries("acme", "c-1")) == 2
    assert texts.entries("nobody") == []


def test_names_and_chats_that_no_database_takes_are_kept_all_the_same(texts):
    entry = texts.add(b"a", tenant="acme", chat_id="c\udcff", file="\udce4.pdf", pages=1, text="t")
    assert texts.text("acme", "c\udcff", entry.key) == "t"
    assert entry.file == "\\udce4.pdf"


def test_the_database_is_opened_again_after_closing(texts):
    key = put(texts).key
    texts.close()
    texts.close()
    assert texts.text("acme", "c-1", key) == "text"


def test_a_damaged_database_is_an_error_with_words(tmp_path):
    (tmp_path / ".tm").mkdir()
    (tmp_path / ".tm/tm.sqlite3").write_bytes(b"no database at all" * 100)
    with pytest.raises(UsageError, match="can't be used"):
        StoredPdfs.of_workspace(tmp_path, {}).latest("acme", "c-1")
