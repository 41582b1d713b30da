"""Mapping paths, path templates and placeholders, for any argument."""

import json
from urllib.parse import unquote

from hypothesis import given, settings
from hypothesis import strategies as st

from tm.errors import TmError, join_path
from tm.grammar.dotpath import parse_path
from tm.grammar.placeholders import fill_pdf_placeholders
from tm.grammar.templates import fill_fields, fill_path, named_arguments, path_names
from tm.schema.arg_text import read_argument, read_json_object

TEXTS = st.text(max_size=12)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXTS, below, max_size=3),
    max_leaves=10,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=4)


def outcome(call):
    """Return what a call gives, and its error."""
    try:
        return call(), None
    except TmError as error:
        return None, error


def places(value, path=()):
    """Yield each place in a value, with what is there."""
    yield path, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from places(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from places(below, (*path, index))


def quoted(steps):
    return ".".join(["@", *(json.dumps(s) if isinstance(s, str) else str(s) for s in steps)])


@settings(deadline=None)
@given(VALUES)
def test_every_place_of_a_response_can_be_reached(body):
    for steps, value in places(body):
        found = parse_path(quoted(steps)).find(body)
        assert found.missing is None
        assert found.value is value


@settings(deadline=None)
@given(st.text(max_size=20), VALUES)
def test_any_text_is_a_path_or_tm112(text, body):
    path, error = outcome(lambda: parse_path(text))
    if error is None:
        path.find(body, status=200, headers={"A": "b"})
    else:
        assert error.code == "TM112"


@settings(deadline=None)
@given(st.lists(st.text(alphabet='ab." \\*', max_size=4), min_size=1, max_size=4))
def test_a_joined_path_names_one_place(steps):
    path = parse_path(f"@.{join_path([*steps, chr(10)])}")
    assert path.steps == (*steps, "\n")


@settings(deadline=None)
@given(st.text() | st.integers() | st.floats() | st.booleans() | VALUES)
def test_a_path_argument_stays_in_its_segment(value):
    path, error = outcome(lambda: fill_path("/v1/items/{id}/lines?x={id}", {"id": value}))
    if error is not None:
        assert error.code == "TM501"
        assert error.details[0].path == "id"
        return
    head, _, query = path.partition("?")
    segments = head.split("/")
    assert [segments[1], segments[2], segments[4]] == ["v1", "items", "lines"]
    assert len(segments) == 5
    assert segments[3] not in {"", ".", ".."}
    assert not set("/?#&= \r\n") & set(segments[3])
    assert query == f"x={segments[3]}"
    if isinstance(value, str):
        assert unquote(segments[3]) == value


@settings(deadline=None)
@given(st.text(max_size=20), OBJECTS)
def test_any_template_is_filled_or_refused(template, args):
    _, error = outcome(lambda: fill_path(template, args))
    assert error is None or error.code in {"TM107", "TM501"}
    _, unnamed = outcome(lambda: path_names(template))
    assert unnamed is None or unnamed.code == error.code == "TM107"


SIDES = st.recursive(
    TEXTS | st.sampled_from(["a", "a.b", "{a}", "x {b} y"]),
    lambda below: (
        st.lists(below, max_size=2)
        | st.dictionaries(TEXTS, below, max_size=3)
        | st.fixed_dictionaries({"value": VALUES})
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(TEXTS, SIDES, max_size=4), OBJECTS)
def test_fields_hold_nothing_that_was_not_declared(spec, args):
    filled, error = outcome(lambda: fill_fields(spec, args, expand=lambda text: text))
    if error is not None:
        assert error.code in {"TM501", "TM112"}
    else:
        assert set(filled) <= set(spec)
        assert all(isinstance(name, str) for name in named_arguments(spec))


@settings(deadline=None)
@given(VALUES)
def test_a_constant_comes_out_as_it_went_in(value):
    assert fill_fields({"f": {"value": value}}, {}, expand=lambda text: text) == {"f": value}


PIECES = st.sampled_from(
    ["<PDF:k>", "<PDF:no>", "<PDF_CONTENT_AVAILABLE>", "<", "PDF:k>", "x", ">"]
)
FILLED = st.dictionaries(
    TEXTS,
    st.recursive(
        st.lists(PIECES, max_size=5).map("".join) | st.integers(),
        lambda below: st.lists(below, max_size=3) | st.dictionaries(TEXTS, below, max_size=2),
        max_leaves=6,
    ),
    max_size=3,
)


@settings(deadline=None)
@given(FILLED, st.lists(PIECES, max_size=4).map("".join))
def test_placeholders_are_filled_once_and_nothing_else_changes(args, content):
    before = json.dumps(args)
    filled = fill_pdf_placeholders(args, {"k": content}.get, lambda: None)
    assert json.dumps(args) == before
    assert len(filled.hits) == before.count("<PDF:k>") - sum(
        key.count("<PDF:k>")
        for steps, _ in places(args)
        for key in steps[-1:]
        if isinstance(key, str)
    )
    ours = dict(places(filled.args))
    for steps, value in places(args):
        if isinstance(value, str):
            assert ours[steps] == value.replace("<PDF:k>", content)
        elif not isinstance(value, list | dict):
            assert ours[steps] == value


@settings(deadline=None)
@given(OBJECTS)
def test_arguments_written_as_json_are_read_back(args):
    assert read_json_object(json.dumps(args), "--args") == args


@settings(deadline=None)
@given(st.text(alphabet="ab", min_size=1, max_size=3), TEXTS)
def test_text_arguments_are_read_as_they_stand(key, text):
    assert read_argument({"properties": {key: {"type": "string"}}}, f"{key}={text}") == (key, text)
