"""Declarations become the typed model, or the lint code of what stops them from running."""

from __future__ import annotations

import pytest

from tm.config.build import build_api, build_assistant, build_task, build_tool
from tm.config.extends import Declaration, extend
from tm.config.shape import check_nesting
from tm.config.yaml_source import read_yaml
from tm.errors import ConfigError
from tm.model import ABSENT, Pagination, Timeouts


def declare(text: str, section: str = "tools", name: str = "t", home: str = "acme") -> Declaration:
    source = read_yaml(f"{section}:\n  {name}: {text}\n".encode(), "tenants/acme/x.yaml")
    return Declaration(section, name, home, source, source.data[section][name])


def tool(fields: str, base: str = "handler: 'f.py:go', "):
    own = declare("{" + base + fields + "}")
    check_nesting(own)
    return build_tool(extend(own, lambda *_: pytest.fail("no base")), "acme")


def fault(fields: str, base: str = "handler: 'f.py:go', ") -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        tool(fields, base)
    return caught.value


def test_defaults():
    built = tool("")
    assert built.parameters == {"type": "object", "properties": {}}
    assert (built.description, built.api, built.args_fixture) == ("", None, None)
    assert built.response_fixture is ABSENT
    assert (built.max_seconds, built.max_nested_calls, built.body_format) == (120.0, 10, "json")
    assert (built.timeouts, built.attempts, built.pagination, built.fixtures) == (
        None,
        None,
        None,
        (),
    )


def test_every_field_arrives():
    built = tool(
        "description: d, api: erp, method: POST, path: /x, query: {a: b}, body: {c: d}, "
        "body_format: form, headers: {H: v}, mapping: {m: n}, preprocess: 'p.py:a', "
        "postprocess: 'q.py:b', args_fixture: {a: 1}, response_fixture: null, read_only: true, "
        "fail_when: errors, max_seconds: 3.5, max_nested_calls: 7, max_response_bytes: 9, "
        "follow_redirects: false, timeout: 4, retry: {attempts: 2}, "
        "pagination: {type: cursor, param: c, next: n, max_pages: 3}"
    )
    assert (built.api, built.method, built.path, built.body_format) == ("erp", "POST", "/x", "form")
    assert (built.query, built.body, built.headers) == ({"a": "b"}, {"c": "d"}, {"H": "v"})
    assert built.preprocess.path == "tenants/acme/p.py"
    assert built.postprocess.name == "b"
    assert built.response_fixture is None
    assert (built.read_only, built.fail_when, built.max_seconds) == (True, "errors", 3.5)
    assert (built.max_nested_calls, built.max_response_bytes) == (7, 9)
    assert (built.follow_redirects, built.timeouts, built.attempts) == (False, Timeouts(4, 4), 2)
    assert built.pagination == Pagination("cursor", param="c", next="n", max_pages=3)
    assert str(built.fields["api"].at) == "tenants/acme/x.yaml:2:43"
    assert len(built.fields) == len(list(built.fields)) == len(built.declared)


def test_partial_timeouts_and_no_retry():
    assert tool("timeout: {connect: 3}").timeouts == Timeouts(3, 30)
    assert tool("timeout: {read: 3}").timeouts == Timeouts(10, 3)
    assert tool("retry: false").attempts == 1
    assert tool("retry: {}").attempts == 3


def test_page_and_offset():
    page = tool("pagination: {type: page, param: p, start: 0, items: data}").pagination
    assert (page.kind, page.param, page.start, page.items) == ("page", "p", 0, "data")
    offset = tool("pagination: {type: offset, param: o, limit_param: l, limit: 50}").pagination
    assert (offset.kind, offset.limit_param, offset.limit) == ("offset", "l", 50)


def test_fixtures():
    built = tool(
        "fixtures: [{name: a, args: {x: 1}, expect: null, status: 404, error: TM504, max_ms: 5}, "
        "{name: b}]"
    )
    first, second = built.fixtures
    assert (first.name, first.args, first.expect, first.status) == ("a", {"x": 1}, None, 404)
    assert (first.error, first.max_ms) == ("TM504", 5)
    assert (second.args, second.expect, second.status) == ({}, ABSENT, None)


def test_missing_description_stops_nothing():
    assert tool("description: null").description == ""


@pytest.mark.parametrize(
    ("fields", "code", "line"),
    [
        ("parameters: []", "TM103", 2),
        ("parameters: null", "TM103", 2),
        ("parameters: {type: array}", "TM103", 2),
        ("parameters: {type: [object]}", "TM103", 2),
        ("description: [a]", "TM102", 2),
        ("api: erp", "TM108", 2),
        ("api: erp, path: /x", "TM108", 2),
        ("api: erp, method: FETCH, path: /x", "TM108", 2),
        ("api: erp, method: get, path: /x", "TM108", 2),
        ("api: [erp], method: GET, path: /x", "TM106", 2),
        ("query: a", "TM113", 2),
        ("mapping: a", "TM112", 2),
        ("args_fixture: [1]", "TM109", 2),
        ("fixtures: {}", "TM109", 2),
        ("fixtures: [1]", "TM109", 2),
        ("fixtures: [{args: {}}]", "TM109", 2),
        ("fixtures: [{name: a, args: 5}]", "TM109", 2),
        ("fixtures: [{name: a, status: x}]", "TM109", 2),
        ("fixtures: [{name: a, error: 5}]", "TM109", 2),
        ("fixtures: [{name: a, max_ms: x}]", "TM109", 2),
        ("fixtures: [{name: a}, {name: a}]", "TM109", 2),
        ("timeout: 0", "TM007", 2),
        ("timeout: {conect: 3}", "TM007", 2),
        ("timeout: true", "TM007", 2),
        ("retry: 3", "TM007", 2),
        ("retry: {attempts: 0}", "TM007", 2),
        ("max_seconds: -1", "TM007", 2),
        ("max_seconds: '5'", "TM007", 2),
        ("max_nested_calls: 101", "TM007", 2),
        ("max_nested_calls: 1.5", "TM007", 2),
        ("max_response_bytes: 0", "TM007", 2),
        ("body_format: xml", "TM007", 2),
        ("read_only: 1", "TM007", 2),
        ("pagination: {type: pages}", "TM007", 2),
        ("pagination: link", "TM007", 2),
        ("pagination: {type: page}", "TM007", 2),
        ("pagination: {type: cursor, param: c}", "TM007", 2),
        ("pagination: {type: page, param: p, start: x}", "TM007", 2),
        ("pagination: {type: link, max_pages: 0}", "TM007", 2),
        ("pagination: {type: link, size: 5}", "TM007", 2),
        ("postprocess: f.py", "TM117", 2),
        ("postprocess: '../../f.py:x'", "TM312", 2),
    ],
)
def test_what_stops_a_tool_has_a_code_and_a_place(fields, code, line):
    error = fault(fields)
    assert (error.code, error.at.path, error.at.line) == (code, "tenants/acme/x.yaml", line)


def test_nothing_to_run():
    error = fault("description: d", base="")
    assert (error.code, str(error.at)) == ("TM105", "tenants/acme/x.yaml:2:3")


def test_openai_nesting():
    assert fault("type: function, function: {name: t}", base="").code == "TM101"
    assert fault("function: {name: t}", base="").code == "TM101"


@pytest.mark.parametrize("text", ["null", "5", "[a]", "true", "text", "1.5"])
def test_tool_that_is_no_mapping(text):
    with pytest.raises(ConfigError) as caught:
        check_nesting(declare(text))
    assert caught.value.code == "TM105"


def test_method_with_a_near_one():
    assert "'PATCH'" in fault("api: erp, method: PACTH, path: /x").message


def test_api_with_everything():
    api = build_api(
        declare(
            "{base_url: 'http://x', auth: {type: bearer, token: t}, headers: {A: b}, timeout: 10, "
            "retry: {attempts: 5}, verify: ca.pem, query_arrays: comma, pagination: {type: link}}",
            "apis",
        )
    )
    assert (api.base_url, api.attempts, api.verify, api.query_arrays) == (
        "http://x",
        5,
        "ca.pem",
        "comma",
    )
    assert (api.timeouts, api.pagination) == (Timeouts(10, 10), Pagination("link"))
    assert (api.auth, api.headers) == ({"type": "bearer", "token": "t"}, {"A": "b"})


def test_api_defaults():
    api = build_api(declare("{base_url: 'http://x'}", "apis"))
    assert (api.timeouts, api.attempts, api.max_response_bytes) == (Timeouts(10, 30), 3, 10_000_000)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("null", "TM106"),
        ("{}", "TM106"),
        ("{base_url: 5}", "TM106"),
        ("{base_url: x, auth: {type: magic}}", "TM007"),
        ("{base_url: x, auth: secret}", "TM007"),
        ("{base_url: x, query_arrays: no}", "TM007"),
        ("{base_url: x, headers: [a]}", "TM007"),
    ],
)
def test_api_that_cannot_be_called(text, code):
    with pytest.raises(ConfigError) as caught:
        build_api(declare(text, "apis"))
    assert caught.value.code == code


def test_assistants_and_tasks():
    assistant = build_assistant(declare("{tools: [a, b], model: m}", "assistants"))
    assert (assistant.tools, assistant.declared["model"]) == (("a", "b"), "m")
    assert build_assistant(declare("null", "assistants")).tools == ()
    assert build_task(declare("{cron: x}", "scheduled")).declared == {"cron": "x"}
    with pytest.raises(ConfigError) as caught:
        build_assistant(declare("{tools: a}", "assistants"))
    assert caught.value.code == "TM402"


def api_fault(fields: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        build_api(declare("{base_url: 'https://x.example', " + fields + "}", "apis"))
    return caught.value


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("auth: {type: baerer, token: x}", "not 'baerer'; did you mean 'bearer'?"),
        ("auth: {type: 7}", "oauth2_client_credentials, not 7"),
        ("auth: {token: x}", "oauth2_client_credentials, not nothing"),
        ("auth: x", "auth of api 't' must be a mapping with a known type, not text"),
        ("retry: {tries: 3}", "must be {attempts: 1 or more} or false, not {'tries': 3}"),
        ("timeout: {conect: 3}", "must be seconds or {connect, read}, not {'conect': 3}"),
        ("headers: x", "headers of api 't' must be a mapping, not text"),
    ],
)
def test_what_an_api_field_must_be_is_never_what_it_is(fields, words):
    assert words in api_fault(fields).message


def test_a_path_that_yaml_read_as_a_mapping_is_to_be_quoted():
    error = fault("path: {id}, method: GET", "api: erp, ")
    assert error.message == "path of tool 't' must be text, not a mapping"
    assert error.hint == 'a text that begins with a brace is quoted: "{id}..."'


@pytest.mark.parametrize(
    ("fields", "hint"),
    [
        ("methd: GET, path: /x", "'methd' is no field; did you mean 'method'?"),
        ("path: /x", "an api needs both, such as method: GET and path: /items/{id}"),
    ],
)
def test_a_missing_method_or_path_comes_with_the_key_that_was_meant(fields, hint):
    assert fault(fields, "api: erp, ").hint == hint
