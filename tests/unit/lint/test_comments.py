from __future__ import annotations

import textwrap

import pytest

from tm.config.source import Source
from tm.lint.comments import Suppression, find_suppressions
from tm.lint.subjects import LintFile


def found(text: str, name: str = "a.yaml") -> list[Suppression]:
    data = textwrap.dedent(text).lstrip("\n").encode()
    path = f"tenants/depot/{name}"
    return list(find_suppressions(LintFile(path, "depot", data, Source(path))))


def places(text: str, name: str = "a.yaml") -> list[tuple[int, tuple[str, ...]]]:
    return [(comment.line, comment.codes) for comment in found(text, name)]


def test_a_comment_behind_a_line_covers_that_line_only() -> None:
    (comment,) = found("tools:\n  a: 1  # tm: ignore[TM110] needs a live order\n  b: 2\n")
    assert comment == Suppression(2, 9, ("TM110",), "needs a live order", (2,))


def test_a_comment_of_its_own_covers_the_next_line_of_code() -> None:
    (first, second) = found("""
        # tm: ignore[TM110] one
        # tm: ignore[TM102] two
        # more words
        tools:
          a: 1
        """)
    assert first.covers == (1, 4)
    assert second.covers == (2, 4)


def test_several_codes_any_case_and_spacing() -> None:
    (comment,) = found("a: 1 #tm:ignore[tm110, TM102,TM110]: why\n")
    assert (comment.codes, comment.reason) == (("TM110", "TM102"), "why")


def test_other_tools_words_may_stand_around() -> None:
    (comment,) = found("x = 1  # noqa: E501  # tm: ignore[TM202] why # type: ignore\n", "a.py")
    assert (comment.col, comment.reason) == (22, "why")
    (own,) = found("# noqa # tm: ignore[TM202] why\nx = 1\n", "a.py")
    assert own.covers == (1, 2)


def test_two_suppressions_in_one_comment() -> None:
    text = "x = 1  # tm: ignore[TM202] one # tm: ignore[TM208] two\n"
    assert [(c.codes, c.reason) for c in found(text, "a.py")] == [
        (("TM202",), "one"),
        (("TM208",), "two"),
    ]


@pytest.mark.parametrize(
    "line", ["# tm: ignore[TM110]", "# tm: ignore[TM110] - ", "# tm: ignore[TM110]  # noqa"]
)
def test_no_words_are_no_reason(line: str) -> None:
    assert found(line + "\n")[0].reason == ""


@pytest.mark.parametrize("line", ["# tm: ignore why", "# tm: ignore[] why", "# tm: ignore"])
def test_a_suppression_without_codes_is_found_too(line: str) -> None:
    assert found(line + "\n")[0].codes == ()


@pytest.mark.parametrize(
    "text",
    [
        'a: "x # tm: ignore[TM110] no comment"\n',
        "a: 'x\n  # tm: ignore[TM110] no comment'\n",
        "a: |\n  # tm: ignore[TM110] no comment\n  text\n",
        "a: >-\n  text\n  # tm: ignore[TM110] no comment\n",
        "a: x#tm: ignore[TM110] no comment\n",
        "# what # use tm: ignore[TM110] for\n",
        "# use `# tm: ignored` here\n",
    ],
)
def test_texts_of_yaml_are_no_comments(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: |  # tm: ignore[TM403] why\n  text\n", 1),
        ("a: |\n  text\n# tm: ignore[TM110] why\nb: 1\n", 3),
        ("a: 'it''s'  # tm: ignore[TM110] why\n", 1),
        ("a: [x,  # tm: ignore[TM110] why\n    y]\n", 1),
        ("a: plain\n  goes on\n# tm: ignore[TM110] why\n", 3),
        ("\ufeffa: 'x'  # tm: ignore[TM110] why\r\nb: 2\r\n", 1),
        ("a: 'x\n  y'  # tm: ignore[TM110] why\n", 2),
        ("a: '世界'  # tm: ignore[TM110] why\n", 1),
        ("a: *nothing  # tm: ignore[TM001] why\nb: [\n", 1),
    ],
)
def test_real_comments_of_yaml_are_found(text: str, line: int) -> None:
    assert places(text) != []
    assert found(text)[0].line == line


def test_texts_of_python_are_no_comments() -> None:
    text = '''
        """Use # tm: ignore[TM202] reason."""
        A = "# tm: ignore[TM202] no comment"
        B = f"""
        # tm: ignore[TM202] no comment
        """
        # tm: ignore[TM202] why
        def f(results, args, ctx):
            return {}
        '''
    assert places(text, "a.py") == [(6, ("TM202",))]


@pytest.mark.parametrize(
    "text",
    [
        "# tm: ignore[TM001] why\nx = (\n",
        "# tm: ignore[TM001] why\n   x\n  y\n",
        "# tm: ignore[TM001] why\nx = '''\n",
        "# tm: ignore[TM001] why\nx = \x00\n",
    ],
)
def test_comments_above_the_fault_of_a_broken_file_count(text: str) -> None:
    assert places(text, "a.py") == [(1, ("TM001",))]


def test_files_that_are_no_text_are_read_as_far_as_they_can_be() -> None:
    data = b"\xff\xfe\x00# tm: ignore[TM004] why\n" * 3
    for path, codes in (("tenants/depot/a.yaml", set()), ("tenants/depot/a.py", {("TM004",)})):
        found = find_suppressions(LintFile(path, "depot", data, Source(path)))
        assert {suppression.codes for suppression in found} == codes


def test_a_file_without_the_word_is_not_tokenized(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tm.lint.comments._python_comments", None)
    assert found("x = 1\n# tm: ignored\n", "a.py") == []
