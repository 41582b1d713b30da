import pytest

from tests.unit.http.conftest import AT, make_api
from tm.http.failures import status_error
from tm.http.messages import Answer, Call
from tm.http.reasons import with_reason
from tm.http.urls import base_url
from tm.model import Timeouts
from tm.redact import Redactor

URL = "https://e.example/x"


def error(status, content=b"", content_type="text/plain", auth=None, secrets=()):
    base = base_url("https://e.example", lambda text, at: text, AT, needs_values=True)
    call = Call(
        api=make_api(auth=auth), base=base, method="GET", url=URL, shown_url=URL, headers={},
        payload=None,
        read_only=False, timeouts=Timeouts(), attempts=1, max_response_bytes=1,
        follow_redirects=True,
    )  # fmt: skip
    answer = Answer(status, {"content-type": content_type}, content, url=URL)
    return status_error(call, answer, Redactor(secrets))


def test_empty_body_is_said():
    assert str(error(500)) == f"500 Internal Server Error from GET {URL}: the body is empty"


def test_first_2000_characters_are_kept():
    text = str(error(500, b"x" * 1990 + b"BEFORE-THE-LIMIT"))
    assert text.endswith("BEFORE-THE")


def test_body_is_masked_before_it_is_cut():
    text = str(error(500, b"x" * 1995 + b"s3cret-123", secrets=["s3cret-123"]))
    assert "s3cr" not in text


@pytest.mark.parametrize(("content", "kind"), [(b"\x89PNG\0\x01", "image/png"), (b"\xff" * 20, "")])
def test_binary_body_is_not_shown(content, kind):
    assert str(error(500, content, kind)).endswith(
        f"{len(content)} bytes of {kind or 'no content type'}"
    )


def test_text_in_another_charset_is_decoded():
    assert "Größe" in str(error(400, "Größe".encode("latin-1"), "text/plain; charset=latin-1"))


@pytest.mark.parametrize(
    ("status", "auth", "words"),
    [
        (401, {"type": "basic", "username": "${U}", "password": "${P}"}, "$P, $U"),
        (403, {"type": "bearer", "token": "literal"}, "values in the config"),
        (401, None, "declares no auth"),
        (404, None, "base_url"),
        (429, None, "fewer requests"),
    ],
)
def test_hint_says_what_to_look_at(status, auth, words):
    assert words in (error(status, auth=auth).hint or "")


def test_other_statuses_have_no_hint():
    assert error(422).hint is None


def test_status_without_a_name_is_its_number():
    assert with_reason(599) == "599"
