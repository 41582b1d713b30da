"""Placeholders in double braces."""

from __future__ import annotations

import pytest

from tm.grammar.prompts import PROMPT_NAMES, prompt_placeholders, unknown_placeholder


def test_placeholders_are_found_once_each_with_or_without_spaces():
    assert prompt_placeholders("{{date}} {{ vars.shop }} {{date}} {x} {{}}") == [
        "date",
        "vars.shop",
        "",
    ]


@pytest.mark.parametrize("name", [*PROMPT_NAMES, "session.lang", "vars.shop", "vars.a.b"])
def test_known_names_are_filled(name):
    assert unknown_placeholder(name, {"shop": "Albers", "a.b": 1}) is None


def test_variables_that_could_not_be_read_count_as_there():
    assert unknown_placeholder("vars.any", None) is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("vars.shpo", "did you mean 'shop'?"),
        ("vars.zzzz", "there are hotline, shop"),
        ("customer_name", "known are date, time"),
        ("shop", "did you mean 'vars.shop'?"),
        ("session", "session.KEY"),
        ("session.", "session.KEY"),
        ("Date", "did you mean 'date'"),
        ("", "known are"),
    ],
)
def test_others_are_told_with_the_known_ones(name, words):
    assert words in str(unknown_placeholder(name, {"shop": 1, "hotline": 2}))


def test_without_variables_nothing_is_listed():
    assert unknown_placeholder("vars.x", {}) == "settings.vars has no 'x'"
