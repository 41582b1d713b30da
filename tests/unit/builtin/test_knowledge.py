"""getKnowledge over real folders."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime

import pytest

from tests.conftest import ROOT
from tm.builtin import knowledge_files, knowledge_index
from tm.builtin.context import BuiltinContext
from tm.builtin.knowledge import get_knowledge
from tm.errors import ToolError
from tm.redact import Redactor

PDFS = ROOT / "tests/data/pdfs"
DOCUMENTS = {
    "rueckgabe.md": "# Rückgabe\n\nWare kann innerhalb von 30 Tagen zurückgegeben werden.\n\n"
    "## Ausnahmen\n\nSchnittblumen sind ausgenommen.\n",
    "versand/express.md": "# Express\n\nExpress kostet 12,90 EUR und kommt am nächsten Werktag.\n",
    "pflege.txt": "Tomaten brauchen viel Sonne. Tulpenzwiebeln kommen im Oktober in die Erde.\n",
    "en/shipping.md": "# Shipping\n\nParcels ship within two days. Returns are free.\n",
}


class Shop:
    """A tenant with documents, and the log lines of its last search."""

    def __init__(self, root):
        self.root = root
        self.folder = root / "tenants/shop/knowledge"
        self.index = root / ".tm/knowledge/shop.sqlite3"
        self.lines = []

    def put(self, path, content):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def search(self, query, limit=5):
        self.lines = []
        context = BuiltinContext(
            root=self.root,
            tenant="shop",
            user_id=None,
            settings={},
            dry_run=False,
            now=lambda: datetime(2026, 5, 4, tzinfo=UTC),
            redactor=Redactor([]),
            log=lambda level, message, context=None: self.lines.append((level, message)),
        )
        return get_knowledge({"query": query, "limit": limit}, context)["hits"]

    def files(self, query):
        return [hit["file"] for hit in self.search(query)]

    @property
    def warnings(self):
        return [message for level, message in self.lines if level == "warning"]


@pytest.fixture
def shop(tmp_path):
    made = Shop(tmp_path)
    for path, text in DOCUMENTS.items():
        made.put(path, text)
    return made


@pytest.mark.parametrize(
    ("query", "file", "heading"),
    [
        ("Rückgabe", "rueckgabe.md", "Rückgabe"),
        ("was kostet Express?", "versand/express.md", "Express"),
        ("Schnittblume", "rueckgabe.md", "Ausnahmen"),
        ("tulpenzwiebel oktober", "pflege.txt", ""),
        ("free returns", "en/shipping.md", "Shipping"),
        ("How fast is shipping", "en/shipping.md", "Shipping"),
    ],
)
def test_the_best_passage_comes_first(shop, query, file, heading):
    first = shop.search(query)[0]
    assert (first["file"], first["heading"]) == (file, heading)
    assert set(first) == {"file", "heading", "text", "score"}
    assert shop.warnings == []


def test_hits_are_in_the_order_of_their_score_and_as_many_as_asked(shop):
    for number in range(9):
        shop.put(f"n{number}.md", f"# Nummer {number}\n\nBlumen {'und Erde ' * number}\n")
    hits = shop.search("Blumen Erde", limit=4)
    assert len(hits) == 4
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert 1 <= scores[0] <= 2


def test_what_nothing_fits_has_no_hits(shop):
    assert shop.search("Schneeschuhe") == []
    assert shop.search("!!! ???") == []
    assert shop.warnings == ["nothing found: the query has no words"]


@pytest.mark.parametrize(
    "query", ['"Express', "Express*", "NEAR(Express)", "text: Express", "-Express"]
)
def test_marks_in_a_query_are_harmless(shop, query):
    assert shop.files(query) == ["versand/express.md"]


def test_changes_count_at_the_next_search(shop):
    assert shop.files("Werktag") == ["versand/express.md"]
    path = shop.put("versand/express.md", "# Express\n\nNur noch per Kurier.\n")
    assert shop.files("Werktag") == []
    assert shop.files("Kurier") == ["versand/express.md"]
    path.unlink()
    assert shop.files("Kurier") == []
    shop.put("neu.md", "Kurier gibt es wieder.")
    assert shop.files("Kurier") == ["neu.md"]


def test_what_did_not_change_is_not_read_again(shop):
    shop.search("Express")
    assert ("info", "documents read") in shop.lines
    shop.search("Express")
    assert ("info", "documents read") not in shop.lines


def test_the_index_is_readable_for_its_owner_alone_and_not_in_git(shop):
    shop.search("Express")
    assert shop.index.stat().st_mode & 0o777 == 0o600
    assert shop.index.parent.stat().st_mode & 0o777 == 0o700
    assert (shop.root / ".tm/.gitignore").read_text() == "*\n"


def test_an_empty_or_missing_folder_has_no_hits_and_says_so(tmp_path):
    shop = Shop(tmp_path)
    shop.root.joinpath("tenants/shop").mkdir(parents=True)
    for _ in range(2):
        assert shop.search("Express") == []
        assert shop.warnings == ["nothing found: knowledge/ has no documents"]
        shop.folder.mkdir(exist_ok=True)


def test_links_are_not_followed(shop, tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("Geheimnis")
    (shop.folder / "link.md").symlink_to(secret)
    (shop.folder / "up").symlink_to(tmp_path)
    os.link(secret, shop.folder / "hard.md")
    assert shop.search("Geheimnis") == []
    assert "hard.md is not searched" in shop.warnings[0]
    shutil.rmtree(shop.folder)
    shop.folder.symlink_to(tmp_path)
    assert shop.search("Geheimnis") == []
    assert "knowledge/ is not searched" in shop.warnings[0]


def test_what_can_not_be_read_is_told_and_the_rest_searched(shop, monkeypatch):
    shop.put("zero.txt", b"a\0b")
    shop.put("broken.pdf", b"no pdf")
    shop.put("notes.docx", b"Express")
    shop.put(".hidden.md", b"Express")
    monkeypatch.setattr(knowledge_files, "MAX_TEXT_BYTES", 200)
    shop.put("big.md", "Express " * 100)
    for _ in range(2):
        assert shop.files("Express") == ["versand/express.md"]
        assert [line.split(" is not")[0] for line in shop.warnings] == [
            "big.md", "broken.pdf", "zero.txt",
        ]  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        "Größe XL".encode(),
        b"\xef\xbb\xbf" + "Größe XL".encode(),
        "Größe XL".encode("utf-16"),
        "Größe XL".encode("cp1252"),
        "Maße\r\n\r\nGröße XL\r\n".encode(),
    ],
)
def test_texts_are_read_in_every_usual_encoding(shop, data):
    shop.put("groessen.txt", data)
    assert shop.files("Grösse") == ["groessen.txt"]


def test_pdfs_are_searched_by_page(shop):
    shop.put("two.pdf", (PDFS / "two_paragraphs.pdf").read_bytes())
    hit = shop.search("second paragraph")[0]
    assert (hit["file"], hit["heading"]) == ("two.pdf", "Page 1")


def test_without_the_extra_pdfs_are_told_and_the_rest_searched(shop, monkeypatch):
    shop.put("two.pdf", (PDFS / "two_paragraphs.pdf").read_bytes())
    monkeypatch.setattr(knowledge_files, "find_spec", lambda name: None)
    assert shop.search("paragraph") == []
    assert shop.files("Express") == ["versand/express.md"]
    assert shop.warnings == ['PDFs are not searched (1): pip install "tm[pdf]"']


def test_more_files_than_allowed_are_told(shop, monkeypatch):
    monkeypatch.setattr(knowledge_files, "MAX_FILES", 2)
    assert shop.files("Express") == []
    assert shop.warnings == ["only the first 2 of 4 files are searched"]


@pytest.mark.parametrize("content", [b"no database" * 500, b""])
def test_a_damaged_index_is_made_anew(shop, content):
    shop.search("Express")
    for extra in ("-wal", "-shm"):
        shop.index.with_name(shop.index.name + extra).unlink(missing_ok=True)
    shop.index.write_bytes(content)
    assert shop.files("Express") == ["versand/express.md"]
    assert shop.warnings == []
    with closing(sqlite3.connect(shop.index)) as connection:
        assert connection.execute("SELECT count(*) FROM files").fetchone() == (4,)


def test_an_index_of_another_version_is_made_anew(shop, monkeypatch):
    shop.search("Express")
    monkeypatch.setattr(knowledge_index, "VERSION", 2)
    assert shop.files("Express") == ["versand/express.md"]
    assert ("info", "documents read") in shop.lines


def test_an_index_that_can_not_be_written_is_made_for_the_search_alone(shop):
    shop.root.joinpath(".tm").write_text("a file in its place")
    assert shop.files("Express") == ["versand/express.md"]
    assert "made for this search alone" in shop.warnings[0]


def test_a_link_in_place_of_the_index_is_not_followed(shop, tmp_path):
    shop.index.parent.mkdir(parents=True)
    shop.index.symlink_to(tmp_path / "elsewhere")
    assert shop.files("Express") == ["versand/express.md"]
    assert not (tmp_path / "elsewhere").exists()


def test_a_python_without_full_text_search_says_so(shop, monkeypatch):
    monkeypatch.setattr(
        knowledge_index, "_TABLES", "CREATE VIRTUAL TABLE words USING no_such_module (x);"
    )
    with pytest.raises(ToolError, match="can't be searched: no such module"):
        shop.search("Express")


def test_searches_at_once_find_all_of_it(shop):
    for number in range(20):
        shop.put(f"{number}.md", f"# Nummer\n\nBlume Nummer {number}")
    found, faults = [], []

    def search():
        own = Shop(shop.root)
        found.append(len(own.search("Blume", limit=50)))
        faults.extend(own.warnings)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (found, faults) == ([20] * 4, [])
