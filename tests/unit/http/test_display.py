import shlex
import subprocess

import pytest

from tests.unit.http.conftest import AT, make_api
from tm.http.bodies import encode_body
from tm.http.curl import curl
from tm.http.display import auth_form
from tm.http.messages import Call
from tm.http.urls import base_url
from tm.model import Timeouts
from tm.redact import Redactor


def command(
    method="GET",
    url="https://e.example/x",
    body=None,
    body_format="json",
    headers=None,
    secrets=(),
    names=None,
    **api,
):
    declared = make_api("https://e.example", **api)
    base = base_url("https://e.example", lambda text, at: text, AT, needs_values=True)
    payload = None if body is None else encode_body(body, body_format)
    call = Call(
        api=declared, base=base, method=method, url=url, shown_url=url, headers=headers or {},
        payload=payload,
        read_only=False, timeouts=Timeouts(), attempts=1, max_response_bytes=1,
        follow_redirects=True,
    )  # fmt: skip
    return curl(call, Redactor([*secrets, *(names or {})]), names or {})


def words(text, **variables):
    """Let a real shell read the command."""
    script = f"curl() {{ printf '%s\\0' \"$@\"; }}; {text}"
    done = subprocess.run(["/bin/sh", "-c", script], env=variables, capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


def test_get_is_the_url():
    assert command(url="https://e.example/x?a=1&b=2") == "curl 'https://e.example/x?a=1&b=2'"
    assert command("HEAD") == "curl -I https://e.example/x"


def test_json_body_survives_the_shell():
    text = command("POST", body={"name": 'O\'Brien & Söhne $HOME `id` \\ "x" !'})
    assert words(text, HOME="/nowhere") == [
        "-X", "POST", "-H", "Content-Type: application/json", "--data-raw",
        '{"name":"O\'Brien & Söhne $HOME `id` \\\\ \\"x\\" !"}', "https://e.example/x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("auth", "expected"),
    [
        ({"type": "bearer", "token": "${T}"}, ["-H", "Authorization: Bearer tok"]),
        ({"type": "basic", "username": "${U}", "password": "${T}"}, ["-u", "me:tok"]),
        ({"type": "basic", "username": "api", "password": "${T}"}, ["-u", "api:tok"]),
        ({"type": "basic", "username": "api", "password": "plain"}, ["-u", "api:***"]),
        (
            {"type": "header", "name": "X-Key", "value": "Key '${T}' \"$x"},
            ["-H", "X-Key: Key 'tok' \"$x"],
        ),
        ({"type": "query", "name": "k", "value": "${T}"}, ["--url-query", "k=tok"]),
        ({"type": "oauth2_client_credentials"}, ["-H", "Authorization: Bearer oat"]),
        ({"type": "bearer", "token": "literal"}, ["-H", "Authorization: Bearer ***"]),
        ({"type": "unknown"}, []),
    ],
)
def test_secrets_are_variables_of_the_shell(auth, expected):
    text = command(auth=auth)
    assert words(text, T="tok", U="me", ERP_ACCESS_TOKEN="oat") == [
        *expected,
        "https://e.example/x",
    ]
    assert "tok" not in text


def test_tools_headers_have_no_variables():
    text = command(headers={"x-b": "${T}"})
    assert words(text, T="tok") == ["-H", "X-B: ${T}", "https://e.example/x"]


def test_header_of_the_api_is_filled_by_the_shell():
    declared = make_api("https://e.example", headers={"X-A": "a ${T}", "X-No": None})
    base = base_url("https://e.example", lambda text, at: text, AT, needs_values=True)
    call = Call(
        api=declared, base=base, method="GET", url="https://e.example/", shown_url="", headers={},
        payload=None,
        read_only=False, timeouts=Timeouts(), attempts=1, max_response_bytes=1,
        follow_redirects=True,
    )  # fmt: skip
    assert words(curl(call, Redactor()), T="tok") == ["-H", "X-A: a tok", "https://e.example/"]


def test_multipart_has_its_fields():
    text = command("POST", body={"a": "it's", "b": [1, 2]}, body_format="multipart")
    assert words(text) == [
        "-X", "POST", "--form-string", "a=it's", "--form-string", "b=1", "--form-string", "b=2", "https://e.example/x",
    ]  # fmt: skip


def test_form_and_get_with_a_body():
    text = command("GET", body={"a": "b c"}, body_format="form")
    assert shlex.split(text)[1:] == [
        "-X", "GET", "-H", "Content-Type: application/x-www-form-urlencoded", "--data-raw", "a=b+c",
        "https://e.example/x",
    ]  # fmt: skip


def test_values_that_are_secret_are_masked():
    text = command(
        "POST",
        url="https://e.example/s3cret-1",
        body={"k": "s3cret-1"},
        headers={"x": "s3cret-1"},
        secrets=["s3cret-1"],
    )
    assert "s3cret-1" not in text
    assert text.count("***") == 3


def test_auth_form_without_auth_is_empty():
    form = auth_form(make_api())
    assert (form.header, form.parameter, form.user) == (None, None, None)


def test_secrets_in_what_was_sent_are_variables_of_the_shell():
    names = {"nw-key-1": "ERP_KEY", "nw-key-1-long": "LONG_KEY", "q'$x": "ODD_KEY"}
    text = command(
        "POST",
        url="https://e.example/x?k=nw-key-1&o=q%27%24x",
        body={"a": "it's nw-key-1-long", "b": "q'$x"},
        headers={"x-key": "Key nw-key-1"},
        names=names,
    )
    assert not any(value in text for value in names)
    variables = {name: value for value, name in names.items()}
    assert words(text, **variables) == [
        "-X", "POST", "-H", "X-Key: Key nw-key-1", "-H", "Content-Type: application/json",
        "--data-raw", '{"a":"it\'s nw-key-1-long","b":"q\'$x"}',
        "https://e.example/x?k=nw-key-1&o=***",
    ]  # fmt: skip
