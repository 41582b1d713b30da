from __future__ import annotations

from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from tm.cli import lint, log, run_tool
from tm.cli.plain_words import read_plain_words

APPS = {"test-tool": run_tool.app, "lint": lint.app, "log": log.app}
WORDS = {
    "test-tool": [
        "--all", "--dry-run", "--record", "--replay", "--live", "--curl", "-q", "--quiet", "-v",
        "--verbose", "--json", "--traceback", "--args", "--arg", "--case", "--chat", "--user",
        "--session", "--root", "--tenant", "-t", "--color", "--jobs", "--shard", "--since",
        "--last-failed", "--fail-fast", "--watch", "--junit", "--update",
    ],
    "lint": [
        "--fix", "--diff", "--strict", "--statistics", "--json", "--traceback", "--format",
        "--select", "--ignore", "--baseline", "--since", "--root", "--tenant", "-t", "--color",
    ],
    "log": [
        "--failed", "--dry-run", "--json", "--traceback", "--tool", "--entry-type", "--assistant",
        "--chat", "--since", "--until", "--slower-than", "--search", "--limit", "--root", "-t",
    ],
}  # fmt: skip
TEXTS = ["a", "get*", "-", "--", "-x", "", "a=b", "auto", "never", "--json", "-tq", "--dryrun",
         "--help", "--color=always", "-t=x", "--args={}", "-vq", "sarif", "--format=github",
         "--select=TM1,TM2", "4", "--jobs=2", "+4", "--jobs=x", "\u0664", "0", "1.5",
         "cli", "--limit=9", "show"]  # fmt: skip
LISTS = {"names", "arg", "paths", "select", "ignore"}
PATHS = {"root", "baseline", "junit"}


def read_by_typer(command: str, given: list[str]) -> dict[str, Any] | None:
    try:
        found = typer.main.get_command(APPS[command]).make_context(command, list(given))
    except (typer.TyperException, typer.Exit):
        return None
    return dict(found.params)


@pytest.mark.parametrize("command", APPS)
@given(data=st.data())
def test_what_is_read_without_typer_is_what_typer_reads(command: str, data: Any) -> None:
    given = data.draw(st.lists(st.sampled_from(WORDS[command] + TEXTS), max_size=8))
    plain = read_plain_words([command, *given])
    if plain is None:
        return
    by_typer = read_by_typer(command, given)
    assert by_typer is not None
    assert set(plain) == set(by_typer)
    for name, value in by_typer.items():
        if name in PATHS and value is not None:
            assert str(plain[name]) == str(value) or value == ""
        elif name in LISTS:
            assert list(plain[name]) == list(value or ())
        else:
            assert plain[name] == value


@pytest.mark.parametrize(
    "given",
    [
        "test-tool --help", "test-tool a --dryrun", "test-tool a --args", "test-tool a -tx",
        "test-tool a --args --json", "test-tool a --color blue", "test-tool -- a",
        "test-tool a -t=x", "lint --format xml", "lint --help", "lint --select", "list", "",
    ],
)  # fmt: skip
def test_the_unusual_is_left_to_typer(given: str) -> None:
    assert read_plain_words(given.split()) is None


def test_the_usual_is_read() -> None:
    line = "test-tool a b* --arg x=1 --arg=y=2 --args - -t acme"
    read = read_plain_words(line.split())
    assert read is not None
    assert (read["names"], read["arg"]) == (["a", "b*"], ["x=1", "y=2"])
    assert (read["args"], read["tenant"], read["dry_run"]) == ("-", "acme", False)
