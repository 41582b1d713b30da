"""The README's generated table; `python -m tests.contract.readme_tables` writes it again."""

from __future__ import annotations

import re

from tests.conftest import ROOT
from tm.codes import all_pages

README = ROOT / "README.md"
MARKED = re.compile(r"(<!-- codes -->\n).*?(<!-- end of codes -->)", re.DOTALL)


def codes_table() -> str:
    """Return the table of all codes, made from the pages of `tm explain`."""
    rows = [
        f"| {page.code} | {page.name} | {page.severity} | {page.title} |" for page in all_pages()
    ]
    return "\n".join(["| code | name | severity | finds |", "|---|---|---|---|", *rows])


def with_tables(text: str) -> str:
    """Return the README's text with the table as it should be."""
    return MARKED.sub(lambda hit: f"{hit[1]}{codes_table()}\n{hit[2]}", text)


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text()))
