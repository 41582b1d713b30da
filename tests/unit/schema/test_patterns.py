import time

import pytest

from tm.schema.ambiguity import is_exponential
from tm.schema.patterns import PatternError, compile_pattern

EXPONENTIAL = [
    "((((a{0,8}){0,8}){0,8}){0,8})b",
    "(a+)+", "^(a|a)*$", "^(x+x+)+y", "(a*)*", r"(\d+\.?)+", "([a-z]+-?)*", r"(\w+\s?)+$",
    "(a|ab|b)*c", r"^(([a-z])+.)+[A-Z]([a-z])+$", "(a|aa)+$", "(.*)*x", "(ab|ab)*c",
    "([a-zA-Z]+)*$", r"^(\s*\w+\s*)+$", "(?=(a+)+b)x", "(?!(a+)+b)x", "(a+){20}b", "(a+){2,30}b",
    "((ab)*)*c", "(a|b|ab)*c", "(a?a?)*b", "^(([^@]+)+)@", "(?:(?:a|b|ab)+)*c", "(a+?)+?b",
    "((a+)+)(?>b)", "(?>(a+)+)b", r"(\W+|\S+)*x", r"([^a]|\w)*x", "((.)\\2*)*x",
    "(?:(?P<x>a)|(?(x)a+|b))*c", "(?:(a+)+)++x", "(?:☃+)+x", "(?:[☃-☄]+)+x",
]  # fmt: skip
HARMLESS = [
    "", "^[A-Z]{1,3}-[0-9]+$", r"^\d{4}-\d{2}-\d{2}$", "^[a-z0-9]+(-[a-z0-9]+)*$",
    r"^([a-z]+\.)*[a-z]+$", r"^[\w.+-]+@[\w-]+(\.[\w-]+)+$", r"^(\d{1,3}\.){3}\d{1,3}$",
    r"^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$", "^([a-z]{64})*$",
    "^([A-Fa-f0-9]{2})+$", "(a|b)*c", r"^\s*\w+(\s+\w+)*\s*$", "(abc|abd)+", r"^[\w._.]+$",
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "^[a-z]*[a-z]*$",
    "^(foo|bar|baz)(,(foo|bar|baz))*$", "(a(?:b|c)+d)*", "(a{1,3}b)*", "(?>a+b)*c", "(a++b)*c",
    "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z]([a-z0-9-]{0,61}[a-z0-9])?)*$", "(?:a?){3,}b",
    "(?i)^(mon|tue)(,(mon|tue))*$", r"^(\b\w+\b )+$", "(?:☃x)+", "(?<=a)(b|c)+",
    r"^(?:\d+(?:,|$))+",
    "(" + "|".join(f"word{n}" for n in range(200)) + ")*",
]  # fmt: skip


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_patterns_with_two_ways_through_a_loop_are_refused(pattern):
    with pytest.raises(PatternError, match="exponential time") as raised:
        compile_pattern(pattern)
    assert "many ways" in raised.value.hint


@pytest.mark.parametrize("pattern", HARMLESS)
def test_patterns_with_one_way_are_taken(pattern):
    assert not is_exponential(pattern)
    assert compile_pattern(pattern)


def test_a_pattern_too_large_to_compare_is_given_up_on_soon():
    pattern = "(" + "".join(f"[a-z{n}]?" for n in range(60)) + "x)*"
    started = time.process_time()
    is_exponential(pattern)
    assert not is_exponential("(a" + "b" * 500 + ")+")
    is_exponential("(?:" + "|".join("[a-z]" * n for n in range(2, 24)) + ")*0")
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        (r"^\p{L}+$", r"Python has no \p{...}"),
        (r"\P{Lu}", r"Python has no \p{...}"),
        ("(?<year>x)", "(?P<name>...)"),
        ("[a-", None),
        ("a{2}{3}", None),
        ("a**", None),
        ("[[a]", None),
        ("(" * 3000, None),
        ("x{99999999999999999999}", None),
    ],
)
def test_patterns_that_python_can_not_compile_are_refused(pattern, hint):
    with pytest.raises(PatternError, match="does not compile") as raised:
        compile_pattern(pattern)
    assert hint is None or hint in raised.value.hint


@pytest.mark.parametrize(
    ("pattern", "fits", "fails"),
    [
        ("^a$", "a", "a\n"),
        ("^(a|b$)", "b", "b\n"),
        (r"^a\$$", "a$", "a"),
        ("^[$]$", "$", "$\n"),
        ("^[]$]$", "]", "]\n"),
        ("^[^]$]$", "a", "$"),
        (r"^[\]$]$", "$", "$\n"),
        ("a", "xax", "b"),
    ],
)
def test_the_end_of_a_pattern_is_the_end_of_the_text(pattern, fits, fails):
    assert compile_pattern(pattern).search(fits)
    assert not compile_pattern(pattern).search(fails)
