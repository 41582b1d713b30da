import pytest

from tm.errors import ToolError
from tm.http.bodies import encode_body, json_text


def content(body, body_format="json"):
    return encode_body(body, body_format).content


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, b"{}"),
        (None, b"null"),
        ({"a": "ü", "n": 12345678901234567890, "f": 1234567.1, "z": 1.0}, None),
        ({"s": "\ud800"}, b'{"s":"\\ud800"}'),
        ("text", b'"text"'),
    ],
)
def test_json_body_is_compact_utf8(body, expected):
    wanted = expected or '{"a":"ü","n":12345678901234567890,"f":1234567.1,"z":1.0}'.encode()
    assert content(body) == wanted
    assert encode_body(body, "json").content_type == "application/json"


@pytest.mark.parametrize("body", [float("nan"), {"a": float("inf")}, {"a": {1, 2}}])
def test_what_is_no_json_is_refused(body):
    with pytest.raises(ToolError) as caught:
        json_text(body)
    assert caught.value.code == "TM501"


def test_endless_nesting_is_refused():
    body: list = []
    body.append(body)
    with pytest.raises(ToolError):
        json_text(body)


def test_form_repeats_lists_and_leaves_null_out():
    body = {"mail": "a+b@x.example", "ok": True, "g": [3, None, 4], "tel": None, "n": "Jörg Weiß"}
    sent = encode_body(body, "form")
    assert sent.content == b"mail=a%2Bb%40x.example&ok=true&g=3&g=4&n=J%C3%B6rg+Wei%C3%9F"
    assert sent.content_type == "application/x-www-form-urlencoded"
    assert sent.shown == sent.content.decode()


@pytest.mark.parametrize("body_format", ["form", "multipart"])
@pytest.mark.parametrize("body", [{"a": {"b": 1}}, {"a": [[1]]}, [1], "text", None])
def test_form_of_what_is_no_field_is_refused(body, body_format):
    with pytest.raises(ToolError) as caught:
        encode_body(body, body_format)
    assert caught.value.code == "TM501"


def test_multipart_has_a_part_for_each_value():
    sent = encode_body({'na"me\r\n': "ü\r\nx", "n": [1, 2], "no": None}, "multipart")
    boundary = sent.content_type.partition("boundary=")[2]
    parts = sent.content.decode().split(f"--{boundary}")
    assert parts[-1] == "--\r\n"
    assert parts[1] == '\r\nContent-Disposition: form-data; name="na%22me%0D%0A"\r\n\r\nü\r\nx\r\n'
    assert len(parts) == 5
    assert sent.fields == (('na"me\r\n', "ü\r\nx"), ("n", "1"), ("n", "2"))


def test_equal_multipart_bodies_are_equal_bytes():
    assert content({"a": "x"}, "multipart") == content({"a": "x"}, "multipart")


def test_boundary_is_not_in_the_body():
    plain = encode_body({"a": "x"}, "multipart").content_type.partition("boundary=")[2]
    sent = encode_body({"a": f"x {plain}"}, "multipart")
    assert sent.content.count(sent.content_type.partition("boundary=")[2].encode()) == 2


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<a>ü</a>", "<a>ü</a>"),
        ({"xml": "<a/>"}, "<a/>"),
        ({"n": 5}, "5"),
        (None, ""),
        (True, "true"),
    ],
)
def test_text_body_is_the_text_or_the_one_field(body, expected):
    sent = encode_body(body, "text")
    assert sent.content == expected.encode()
    assert sent.content_type == "text/plain; charset=utf-8"


@pytest.mark.parametrize("body", [{}, {"a": 1, "b": 2}, {"a": {}}, [1]])
def test_text_body_of_several_fields_is_refused(body):
    with pytest.raises(ToolError) as caught:
        encode_body(body, "text")
    assert caught.value.code == "TM501"


def test_bytes_are_sent_as_they_are():
    sent = encode_body(b"\x00\xff", "text")
    assert (sent.content, sent.content_type, sent.shown) == (
        b"\x00\xff", "application/octet-stream", "<2 bytes>",
    )  # fmt: skip
