from __future__ import annotations

from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tm.cli.plain_words import read_plain_words
from tm.cli.run_tool import app

FLAGS = ["--all", "--dry-run", "--record", "--replay", "--live", "--curl", "-q", "--quiet", "-v",
         "--verbose", "--json", "--traceback"]  # fmt: skip
VALUES = ["--args", "--arg", "--case", "--chat", "--user", "--session", "--root", "--tenant", "-t",
          "--color"]  # fmt: skip
texts = st.sampled_from(["a", "get*", "-", "--", "-x", "", "a=b", "auto", "never", "--json", "-tq",
                         "--dryrun", "--help", "--color=always", "-t=x", "--args={}",
                         "-vq"])  # fmt: skip
words = st.lists(st.sampled_from(FLAGS) | st.sampled_from(VALUES) | texts, max_size=8)


def read_by_typer(given: list[str]) -> dict[str, Any] | None:
    try:
        return dict(typer.main.get_command(app).make_context("test-tool", list(given)).params)
    except (typer.TyperException, typer.Exit):
        return None


@given(words)
def test_what_is_read_without_typer_is_what_typer_reads(given: list[str]) -> None:
    plain = read_plain_words(given)
    if plain is None:
        return
    by_typer = read_by_typer(given)
    assert by_typer is not None
    empty_as_none = {"names", "arg"}
    assert set(plain) == set(by_typer)
    for name, value in by_typer.items():
        if name == "root" and value is not None:
            assert str(plain[name]) == str(value) or value == ""
        elif name in empty_as_none:
            assert list(plain[name]) == list(value or ())
        else:
            assert plain[name] == value


@pytest.mark.parametrize(
    "given",
    [["--help"], ["a", "--dryrun"], ["a", "--args"], ["a", "-tx"], ["a", "--args", "--json"],
     ["a", "--color", "blue"], ["--", "a"], ["a", "-t=x"]],
)  # fmt: skip
def test_the_unusual_is_left_to_typer(given: list[str]) -> None:
    assert read_plain_words(given) is None


def test_the_usual_is_read() -> None:
    read = read_plain_words(["a", "b*", "--arg", "x=1", "--arg=y=2", "--args", "-", "-t", "acme"])
    assert read is not None
    assert (read["names"], read["arg"]) == (["a", "b*"], ["x=1", "y=2"])
    assert (read["args"], read["tenant"], read["dry_run"]) == ("-", "acme", False)
