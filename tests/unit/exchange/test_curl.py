from typing import Any

import pytest

from tm.config.reader import read_source
from tm.errors import Location, UsageError
from tm.exchange.curl import import_curl
from tm.model import Api

WEBHOOK = "T0AB12CD3/B0EF45GH6/a1B2c3D4e5F6g7H8i9J0k1L2"
NESTED = '{"user": {"client_secret": "geheim-1", "list": [{"token": "geheim-2"}]}}'
AT = Location("tenants/shop/api.yaml", 2)


def made(text: str, apis: dict[str, Api] | None = None) -> dict[str, Any]:
    found = import_curl(text, "call", apis or {})
    text = found.files["tools/call.yaml"]
    source = read_source(text.encode(), "tenants/shop/tools/call.yaml")
    assert source.problems == ()
    (api,) = (source.data.get("apis") or {"-": None}).values()
    return {"tool": source.data["tools"]["call"], "api": api, "vars": found.variables, "text": text}


def test_a_json_body_becomes_arguments_and_the_token_a_variable() -> None:
    found = made(
        """curl -X POST 'https://api.example.com/v1/tickets?notify=true' \\
             -H 'Content-Type: application/json' -H "Authorization: Bearer tok-geheim-1" \\
             -d '{"title": "Lamp", "n": 2, "tags": ["a"], "who": {"id": 1.5}, "x": null}'"""
    )
    tool = found["tool"]
    assert (tool["method"], tool["path"], tool["api"]) == ("POST", "/v1/tickets", "api-example-com")
    assert tool["query"] == {"notify": {"value": "true"}}
    assert tool["body"] == {key: key for key in ("title", "n", "tags", "who", "x")}
    assert tool["args_fixture"]["who"] == {"id": 1.5}
    assert tool["parameters"]["properties"]["tags"]["items"] == {"type": "string"}
    assert found["api"]["auth"] == {"type": "bearer", "token": "${API_EXAMPLE_COM_TOKEN}"}
    assert found["vars"] == ("API_EXAMPLE_COM_TOKEN",)
    assert "geheim" not in found["text"]


def header(name: str, value: str) -> dict[str, str]:
    return {"type": "header", "name": name, "value": value}


BASIC = {"type": "basic", "username": "${A_EXAMPLE_USER}", "password": "${A_EXAMPLE_PASSWORD}"}
QUERY = {"type": "query", "name": "api_key", "value": "${A_EXAMPLE_API_KEY}"}


@pytest.mark.parametrize(
    ("options", "auth"),
    [
        ("-u ada:pw-1", BASIC),
        ("-H 'X-Api-Key: k-1'", header("X-Api-Key", "${A_EXAMPLE_API_KEY}")),
        (
            "-H 'Authorization: Token t-1'",
            header("Authorization", "Token ${A_EXAMPLE_TOKEN}"),
        ),
        ('-H "Authorization: Bearer $SHOP_TOKEN"', {"type": "bearer", "token": "${SHOP_TOKEN}"}),
        ("--url 'https://a.example/x?api_key=k-1&q=2'", QUERY),
        ("-b 'sid=s-1'", header("Cookie", "${A_EXAMPLE_COOKIE}")),
        ("-H 'Accept-Language: de' -H 'User-Agent: x' -H 'sec-fetch-mode: cors'", None),
    ],
)
def test_secrets_become_the_apis_auth(options: str, auth: dict[str, str] | None) -> None:
    found = made(f"curl https://a.example/x {options}")
    assert found["api"].get("auth") == auth
    for secret in ("pw-1", "k-1", "t-1", "s-1"):
        assert secret not in found["text"]


def test_a_query_becomes_arguments_where_there_is_no_body() -> None:
    tool = made("curl -sSL 'https://a.example/find?q=blue+lamp&page=2&tag=a&tag=b&on=true'")["tool"]
    assert tool["method"] == "GET"
    assert tool["args_fixture"] == {"q": "blue lamp", "page": 2, "tag": ["a", "b"], "on": True}
    assert made("curl -G https://a.example/f -d a=1 -d b=x")["tool"]["query"] == {
        "a": "a",
        "b": "b",
    }


@pytest.mark.parametrize(
    ("options", "body_format", "fixture"),
    [
        ("-d 'a=1&b=two words'", "form", {"a": 1, "b": "two words"}),
        ("--data-urlencode 'b=x & y' -d a=1", "form", {"b": "x & y", "a": 1}),
        ("-F a=1 -F 'b=x y'", "multipart", {"a": 1, "b": "x y"}),
        ("--json '{\"a\": 1}'", None, {"a": 1}),
        ('--data-raw $\'{"a": "it\\\'s \\u00e4\\\\n"}\'', None, {"a": "it's ä\n"}),
    ],
)
def test_each_kind_of_body(options: str, body_format: str | None, fixture: Any) -> None:
    tool = made(f"curl https://a.example/x {options}")["tool"]
    assert tool["method"] == "POST"
    assert tool.get("body_format") == body_format
    assert tool["args_fixture"] == fixture


def test_a_password_in_a_body_is_a_constant_from_a_variable() -> None:
    found = made("""curl https://a.example/login -d '{"user": "ada", "password": "pw-9"}'""")
    assert found["tool"]["body"]["password"] == {"value": "${A_EXAMPLE_PASSWORD}"}
    assert "pw-9" not in found["text"]


def test_an_api_with_this_address_and_auth_is_asked() -> None:
    auth = {"type": "bearer", "token": "${T}"}
    apis = {"erp": Api("erp", "shop", AT, "https://a.example/", auth=auth)}
    found = made("curl https://a.example/x -H 'Authorization: Bearer b-1'", apis)
    assert (found["api"], found["tool"]["api"], found["vars"]) == (None, "erp", ())
    other = made("curl https://a.example/x", {"a-example": apis["erp"]})
    assert other["tool"]["api"] == "a-example_2"


def test_keys_over_plain_http_wait_for_an_address() -> None:
    found = made("curl http://a.example/x -H 'X-Api-Key: k-1'")
    assert found["api"]["base_url"] == "${A_EXAMPLE_URL}"
    odd = made("curl http://127.evil.example/x -H 'X-Api-Key: k-1'")
    assert odd["api"]["base_url"].startswith("${")
    assert made("curl http://127.0.0.1:8000/x -u a:b")["api"]["base_url"] == "http://127.0.0.1:8000"


def test_braces_in_a_path_are_no_arguments() -> None:
    assert made("curl 'https://a.example/x/{id}'")["tool"]["path"] == "/x/%7Bid%7D"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no curl command"),
        ("wget https://a.example", "no curl command"),
        ("curl", "no address"),
        ("curl 'https://a.example", "can't be read"),
        ("curl ftp://a.example/x", "no http or https address"),
        ("curl 'https://[::1'", "no http or https address"),
        ("curl https://a.example/x -d @body.json", "file 'body.json'"),
        ("curl https://a.example/x -F file=@a.png", "is a file"),
        ("curl https://a.example/x --json '[1]'", "a tool sends a JSON object"),
        ("curl https://a.example/x --json '{'", "is no JSON"),
        ("curl https://a.example/x -X", "needs a value"),
        ("curl https://a.example/x --proto-redir x", "not known here"),
        ("curl https://a.example:99999/x", "no http or https address"),
        ("curl https://a.example/x -X TRACE", "can't be a tool's"),
        (
            "curl https://hooks.slack.com/services/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",
            "holds a secret",
        ),
    ],
)
def test_what_can_be_no_tool_is_told(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        made(text)


def test_what_stands_behind_the_command_is_left_out() -> None:
    tool = made("$ curl https://a.example/x -o out.json -m 5 | jq .\ncurl https://b.example")[
        "tool"
    ]
    assert tool["path"] == "/x"


@pytest.mark.parametrize(
    "command",
    [
        "curl 'https://a.example/x?key=geheim-1&token=geheim-2&sig=geheim-3'",
        "curl 'https://a.example/x?X-Amz-Signature=geheim-1'",
        "curl https://a.example/x -H 'X-Foo: Bearer geheim-1'",
        f"curl https://a.example/x -d '{NESTED}'",
        """curl https://a.example/x -d '{"note": "sk-live-geheim1geheim2geheim3"}'""",
    ],
)
def test_no_secret_of_a_command_lands_in_a_file(command: str) -> None:
    assert "geheim" not in made(command)["text"]
