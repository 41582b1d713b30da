import warnings

import pytest

from tm.errors import ToolError
from tm.http.decoding import MAX_DEPTH, decode_body, decode_json, decode_text, parse_json

JSON = "application/json"


def decoded(content, content_type=JSON, status=200):
    lines = []
    if isinstance(content, str):
        content = content.encode()
    return decode_body(
        status, content, content_type, of="GET https://e.example/x", warn=lines.append
    ), lines


@pytest.mark.parametrize("status", [200, 204])
def test_no_body_is_an_empty_object(status):
    assert decoded(b"", status=status) == ({}, [])
    assert decoded(b"ignored", status=204) == ({}, [])


@pytest.mark.parametrize(
    "content_type",
    [
        JSON,
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/vnd.api+json",
        "application/problem+json",
    ],
)
def test_json_types_are_read(content_type):
    assert decoded('{"a": "ü"}', content_type) == ({"a": "ü"}, [])


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b'\xef\xbb\xbf{"a":1}', JSON),
        ('{"a":1}'.encode("utf-16"), JSON),
        ('{"a":1}'.encode("utf-16-be"), JSON),
        ('{"a":1}'.encode("utf-32-le"), JSON),
        ('{"a":1}'.encode("utf-32"), JSON),
        (b'{"a":1}', "application/json; charset=iso-8859-1"),
    ],
)
def test_json_in_other_encodings_is_read(content, content_type):
    assert decoded(content, content_type)[0] == {"a": 1}


def test_declared_charset_is_respected():
    assert decoded("ü".encode("latin-1"), "text/plain; charset=ISO-8859-1")[0]["text"] == "ü"
    assert decoded('{"a":"ü"}'.encode("cp1252"), 'application/json;charset="cp1252"')[0] == {
        "a": "ü"
    }


@pytest.mark.parametrize(
    "charset", ["nope", "zip", "unicode_escape", "utf-7", "rot13", "idna", "a\u0000"]
)
def test_unknown_charset_is_read_as_utf8_with_a_warning(charset):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        body, lines = decoded("ü\\n".encode() + b"\xff", f"text/plain; charset={charset}")
    assert body["text"] == "ü\\n\ufffd"
    assert "charset" in lines[0]


@pytest.mark.parametrize(
    "content_type",
    [
        "text/html; charset=utf-8",
        "text/xml",
        "application/xml",
        "image/svg+xml",
        "application/x-ndjson",
        "text/json",
        "",
    ],
)
def test_text_types_arrive_as_text(content_type):
    assert decoded("<b>ü</b>", content_type)[0] == {
        "text": "<b>ü</b>",
        "content_type": content_type,
    }


@pytest.mark.parametrize(
    ("content", "content_type"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (bytes.fromhex("255044462d312e370a25e2e3"), "text/plain"),
        (b"a\0b", "text/plain"),
        (b"\xff\xd8", ""),
        (b"plain", "application/octet-stream"),
        (b'{"a": 1}', "application/grpc"),
    ],
)
def test_binary_arrives_as_its_size_with_a_line(content, content_type):
    body, lines = decoded(content, content_type)
    assert body == {"bytes": len(content), "content_type": content_type}
    assert f"{len(content)} bytes" in lines[0]


def test_broken_json_names_line_and_column():
    with pytest.raises(ToolError, match="line 2 column 21") as caught:
        decoded('{\n  "items": [1, 2, 3,,]\n}')
    assert caught.value.code == "TM508"
    assert "GET https://e.example/x" in str(caught.value)
    assert "items" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a NaN": 1,\n "b": -Infinity}', "line 2 column 7: -Infinity"),
        ('{"price": NaN}', "line 1 column 11: NaN"),
        ("[1e999]", "too large"),
        ("[-1E+0400]", "too large"),
        ("[" + "9" * 400 + ".0]", "too large"),
        ("1" * 5000, "4,300 digits"),
        ("[" * 100_000, "nested"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested"),
        ('{"a":' * 300 + "1" + "}" * 300, "nested"),
        ("<html>", "line 1 column 1"),
    ],
)
def test_json_that_python_would_let_through_is_an_error(text, words):
    with pytest.raises(ToolError, match=words) as caught:
        parse_json(text, of="GET x")
    assert caught.value.code == "TM508"
    assert ": NaN}" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12345678901234567890", 12345678901234567890),
        ("1234567.10", 1234567.1),
        ("1e100", 1e100),
        ('"\\ud800"', "\ud800"),
        ('"\\u0000"', "\0"),
        ("9" * 400, int("9" * 400)),
    ],
)
def test_values_survive(text, value):
    assert parse_json(text, of="") == value


def test_many_flat_values_are_not_deep():
    text = "[" + ",".join(['{"a": [1]}'] * 500) + "]"
    assert len(parse_json(text, of="")) == 500
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse_json(deep, of="") is not None


def test_bytes_that_are_no_text_are_broken_json():
    with pytest.raises(ToolError, match="byte 6") as caught:
        decode_json(b'{"a":"\xff"}', JSON, of="GET x")
    assert caught.value.code == "TM508"


def test_long_broken_body_is_shown_in_part():
    with pytest.raises(ToolError) as caught:
        parse_json("x" * 10_000, of="GET x")
    assert len(str(caught.value)) < 400


def test_text_for_people_never_fails():
    assert decode_text(b"a\xff", "text/plain") == "a\ufffd"
    assert decode_text("ü".encode("utf-16"), "") == "ü"
    assert decode_text("ü".encode("latin-1"), "text/plain; charset=latin1") == "ü"
