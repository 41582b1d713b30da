"""What HTTP allows, against httpbin: statuses, redirects, encodings, auth, slow and odd bodies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

CREDENTIALS = {"BIN_USER": "anna", "BIN_PASSWORD": "geheim-und-lang", "BIN_TOKEN": "token-4711-x"}


def config(url: str, fields: dict[str, Any], api: dict[str, Any] | None) -> str:
    """Return a config file (JSON is YAML) with one tool, `probe`, on one api."""
    tool = {"description": "Probe.", "api": "bin", "method": "GET", **fields}
    tool.setdefault("parameters", {"type": "object", "additionalProperties": True})
    apis = {"bin": {"base_url": url, "retry": {"attempts": 1}, **(api or {})}}
    return json.dumps({"apis": apis, "tools": {"probe": tool}})


@pytest.fixture
def probe(tm_command, workspace, httpbin):
    """Return a function that runs a tool with these fields and returns its `--json` report."""

    def run(*words: str, args: dict | None = None, api: dict | None = None, **fields: Any) -> Any:
        root: Path = workspace({"tenants/acme/probe.yaml": config(httpbin, fields, api)})
        given = json.dumps(args or {})
        done = tm_command(
            "test-tool", "probe", "--args", given, "--json", *words, cwd=root, env=CREDENTIALS
        )
        assert "Traceback" not in done.output
        for secret in (CREDENTIALS["BIN_PASSWORD"], CREDENTIALS["BIN_TOKEN"]):
            assert secret not in done.output
        return done.json

    return run


def code_of(report: Any) -> str | None:
    """Return the error's code, or None for a run that went well."""
    return report["error"] and report["error"]["code"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 418, 422, 429, 500, 503])
def test_statuses_from_400_on_are_errors(probe, status):
    report = probe(path=f"/status/{status}")
    assert code_of(report) == "TM504"
    assert str(status) in report["error"]["message"]
    assert report["http"][0]["status"] == status


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_empty_answers_are_an_empty_object(probe, status):
    report = probe(path=f"/status/{status}")
    assert (code_of(report), report["http"][0]["status"]) == (None, status)
    assert report["result"] == {} or "text" in report["result"]


def test_unavailable_server_is_asked_again(probe):
    report = probe(path="/status/503", retry={"attempts": 2})
    assert (code_of(report), report["http"][0]["attempts"]) == ("TM504", 2)


def test_write_is_never_sent_twice(probe):
    report = probe(path="/status/503", method="POST", retry={"attempts": 3})
    assert (code_of(report), report["http"][0]["attempts"]) == ("TM504", 1)


def test_redirects_within_the_origin_are_followed(probe):
    report = probe(path="/redirect/3", mapping={"url": "url"})
    assert report["result"]["url"].endswith("/get")


def test_sixth_redirect_is_an_error(probe):
    assert code_of(probe(path="/redirect/6")) == "TM504"


def test_redirect_to_another_origin_is_an_error_that_names_it(probe, httpbin):
    other = httpbin.replace("127.0.0.1", "localhost") + "/get"
    report = probe(path="/redirect-to", query={"url": {"value": other}})
    assert code_of(report) == "TM504"
    assert "localhost" in report["error"]["message"]


@pytest.mark.parametrize(("path", "key"), [("/gzip", "gzipped"), ("/deflate", "deflated")])
def test_compressed_answers_are_read(probe, path, key):
    assert probe(path=path)["result"][key] is True


def test_basic_auth_is_sent_and_masked(probe):
    auth = {"type": "basic", "username": "${BIN_USER}", "password": "${BIN_PASSWORD}"}
    path = f"/basic-auth/{CREDENTIALS['BIN_USER']}/{CREDENTIALS['BIN_PASSWORD']}"
    report = probe("--curl", path=path, api={"auth": auth})
    assert report["result"]["authenticated"] is True


def test_wrong_basic_auth_is_401(probe):
    auth = {"type": "basic", "username": "${BIN_USER}", "password": "${BIN_PASSWORD}"}
    report = probe(path="/basic-auth/anna/another", api={"auth": auth})
    assert (code_of(report), report["http"][0]["status"]) == ("TM504", 401)


def test_bearer_token_is_sent_and_masked_in_an_echo(probe):
    api = {"auth": {"type": "bearer", "token": "${BIN_TOKEN}"}}
    report = probe("-v", path="/bearer", api=api)
    assert report["result"] == {"authenticated": True, "token": "***"}


def test_slow_answer_is_a_timeout(probe):
    report = probe(path="/delay/5", timeout=0.5)
    assert code_of(report) == "TM505"
    assert report["duration_ms"] < 4000


def test_dripping_answer_does_not_outlive_the_run(probe):
    query = {"duration": {"value": 8}, "numbytes": {"value": 40}, "delay": {"value": 0}}
    report = probe(path="/drip", query=query, max_seconds=1, timeout=30)
    assert code_of(report) == "TM505"
    assert report["duration_ms"] < 5000


def test_several_json_documents_in_one_body_are_broken_json(probe):
    assert code_of(probe(path="/stream/3")) == "TM508"


def test_too_large_answer_is_cut_off(probe):
    report = probe(path="/bytes/90000", max_response_bytes=1000)
    assert code_of(report) == "TM507"


def test_text_keeps_its_characters(probe):
    report = probe(path="/encoding/utf8")
    assert "∮ E⋅da = Q" in report["result"]["text"]
    assert report["result"]["content_type"].startswith("text/html")


def test_picture_is_described_not_decoded(probe):
    report = probe(path="/image/png")
    assert report["result"]["content_type"] == "image/png"
    assert report["result"]["bytes"] > 1000


def test_xml_arrives_as_text(probe):
    assert "<slideshow" in probe(path="/xml")["result"]["text"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_json_bodies_arrive(probe, method):
    args = {"name": "Kräutertee", "qty": 3, "note": None, "tags": ["a", "b"]}
    report = probe(path="/anything", method=method, args=args)
    assert report["result"]["json"] == args
    assert report["result"]["method"] == method


def test_form_repeats_the_key_for_arrays(probe):
    args = {"name": "Tee & Kanne", "tags": ["a", "b"], "gift": True}
    report = probe(path="/post", method="POST", body_format="form", args=args)
    assert report["result"]["form"] == {"name": "Tee & Kanne", "tags": ["a", "b"], "gift": "true"}


def test_multipart_fields_arrive(probe):
    args = {"name": "Kännchen"}
    report = probe(path="/post", method="POST", body_format="multipart", args=args)
    assert report["result"]["form"] == args


def test_query_arrays_booleans_and_special_characters_arrive(probe):
    args = {"q": "a&b=c ü", "ids": [1, 2], "open": False, "none": None}
    report = probe(path="/anything?fixed=1", args=args)
    expected = {"fixed": "1", "q": "a&b=c ü", "ids": ["1", "2"], "open": "false"}
    assert report["result"]["args"] == expected


def test_argument_stays_inside_its_path_segment(probe):
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string", "description": "Name."}},
        "required": ["name"],
    }
    report = probe(path="/anything/{name}", parameters=schema, args={"name": "a/../b?x=1#y ü"})
    assert "%2F..%2Fb%3Fx%3D1%23y%20%C3%BC" in report["http"][0]["url"]
    assert report["result"]["args"] == {}


def test_cookies_are_not_kept_between_requests(tm_command, workspace, httpbin):
    handler = """
    def look(results, args, ctx):
        ctx["logger"].info("start")
        ctx["http"].get("/cookies/set?basket=7")
        kept = ctx["http"].get("/cookies").json()
        ctx["logger"].info("end")
        return kept
    """
    fields = {"path": "/get", "handler": "look.py:look"}
    root = workspace(
        {"tenants/acme/probe.yaml": config(httpbin, fields, None), "tenants/acme/look.py": handler}
    )
    done = tm_command("test-tool", "probe", "--json", cwd=root)
    assert done.json["result"] == {"cookies": {}}, done.output
