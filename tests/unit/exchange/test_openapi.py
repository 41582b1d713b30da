import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tm.config.reader import read_source
from tm.errors import UsageError
from tm.exchange.openapi import import_openapi

DATA = ROOT / "tests/data/openapi"
SCHEMAS = "#/components/schemas/"
REGIONS = {"r": {"default": "eu"}, "p": {"default": "8443"}}
REGIONAL = {"url": "https://{r}.d.example:{p}/v1", "variables": REGIONS}
DOCUMENTS = sorted(
    path
    for path in DATA.iterdir()
    if path.suffix in {".json", ".yaml"} and "webhooks" not in path.name
)


def document(paths: dict[str, Any], **more: Any) -> str:
    head = {
        "openapi": "3.0.3",
        "info": {"title": "Depot"},
        "servers": [{"url": "https://d.example/v1/"}],
    }
    return json.dumps({**head, "paths": paths, **more})


def declared(found: Any) -> dict[str, Any]:
    """Return what all files declare together, by section."""
    merged: dict[str, Any] = {"apis": {}, "tools": {}}
    for path, text in found.files.items():
        source = read_source(text.encode(), f"tenants/shop/{path}")
        assert source.problems == ()
        for section in merged:
            merged[section] |= source.data.get(section) or {}
    return merged


def made(paths: dict[str, Any], **more: Any) -> dict[str, Any]:
    return declared(import_openapi(document(paths, **more), "d.json", set(), set()))


def parameter(name: str, place: str = "query", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": place, "schema": {"type": "string"}, **more}


def body(schema: Any, kind: str = "application/json", **more: Any) -> dict[str, Any]:
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema}}, **more}}


def test_an_operation_becomes_a_tool() -> None:
    operation = {
        "operationId": "listBins",
        "summary": "List the bins",
        "description": "Of one hall.",
        "parameters": [
            parameter("hallId", "path", required=True, example="H1"),
            parameter("page[size]"),
            parameter("X-Trace", "header"),
            parameter("Accept", "header"),
        ],
    }
    found = made({"/halls/{hallId}/bins": {"get": operation}})
    tool = found["tools"]["listBins"]
    assert found["apis"] == {"depot": {"base_url": "https://d.example/v1"}}
    assert tool["description"] == "List the bins. Of one hall."
    assert (tool["method"], tool["path"]) == ("GET", "/halls/{hallId}/bins")
    assert tool["query"] == {"page[size]": "page_size"}
    assert tool["headers"] == {"X-Trace": "X-Trace"}
    assert tool["parameters"]["required"] == ["hallId"]
    assert "responses" not in tool


def test_the_body_and_the_query_may_have_fields_of_one_name() -> None:
    fields = {"type": "object", "required": ["id", "n"], "properties": {
        "id": {"type": "integer"}, "n": {"type": "number"},
        "made": {"type": "string", "readOnly": True},
    }}  # fmt: skip
    operation = {"parameters": [parameter("id")], **body(fields)}
    tool = made({"/x": {"put": operation}})["tools"]["put__x"]
    assert tool["query"] == {"id": "id"}
    assert tool["body"] == {"id": "id_2", "n": "n"}
    assert tool["parameters"]["required"] == ["id_2", "n"]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("application/x-www-form-urlencoded", "form"),
        ("multipart/form-data", "multipart"),
        ("application/merge-patch+json", None),
    ],
)
def test_each_content_type_has_its_format(kind: str, expected: str | None) -> None:
    fields = {"properties": {"a": {"type": "string"}}}
    tool = made({"/x": {"post": body(fields, kind)}})["tools"]["post__x"]
    assert tool.get("body_format") == expected


def test_alternatives_are_one_object_whose_common_fields_are_required() -> None:
    cat = {"required": ["kind", "meows"], "properties": {"kind": {}, "meows": {"type": "boolean"}}}
    dog = {"required": ["kind"], "properties": {"kind": {}, "barks": {"type": "boolean"}}}
    schema = {"allOf": [{"oneOf": [cat, dog]}, {"properties": {"age": {"type": "integer"}}}]}
    tool = made({"/pets": {"post": body(schema)}})["tools"]["post__pets"]
    assert set(tool["body"]) == {"kind", "meows", "barks", "age"}
    assert tool["parameters"]["required"] == ["kind"]


def test_references_are_written_out_and_circles_stay_definitions() -> None:
    schemas = {
        "Node": {"properties": {"name": {"type": "string"}, "next": {"$ref": f"{SCHEMAS}Node"}}},
        "Leaf": {"type": "string", "nullable": True},
    }  # fmt: skip
    fields = {"properties": {
        "root": {"$ref": f"{SCHEMAS}Node"}, "leaf": {"$ref": f"{SCHEMAS}Leaf"},
    }}  # fmt: skip
    tool = made({"/x": {"post": body(fields)}}, components={"schemas": schemas})["tools"]["post__x"]
    parameters = tool["parameters"]
    assert parameters["properties"]["leaf"]["type"] == ["string", "null"]
    assert parameters["properties"]["root"]["$ref"] == "#/$defs/Node"
    assert list(parameters["$defs"]) == ["Node"]


SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "basic": {"type": "http", "scheme": "basic"},
    "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "client": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://d.example/t"}}},
    "user": {"type": "oauth2", "flows": {"authorizationCode": {}}},
    "mtls": {"type": "mutualTLS"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("security", "kind"),
    [
        ([{"bearer": []}], "bearer"),
        ([{"basic": []}], "basic"),
        ([{"header": []}], "header"),
        ([{"query": []}], "query"),
        ([{"client": ["read", "write"]}], "oauth2_client_credentials"),
        ([{"user": []}], "bearer"),
        ([{"cookie": []}, {"header": []}], "header"),
        ([], None),
        ([{}, {"bearer": []}], None),
    ],
)
def test_each_way_in_becomes_auth(security: Any, kind: str | None) -> None:
    components = {"securitySchemes": SCHEMES}
    operation = {"security": security}
    found = made({"/x": {"get": operation}}, components=components, security=[{"bearer": []}])
    (api,) = found["apis"].values()
    assert (api.get("auth") or {}).get("type") == kind
    if kind == "oauth2_client_credentials":
        assert api["auth"]["scope"] == "read write"


def test_two_keys_go_together_and_each_auth_is_an_api_of_its_own() -> None:
    paths = {
        "/a": {"get": {"security": [{"basic": [], "header": []}]}},
        "/b": {"get": {"security": [{"bearer": []}]}},
        "/c": {"get": {"security": [{"mtls": []}]}},
    }
    text = document(paths, components={"securitySchemes": SCHEMES})
    found = import_openapi(text, "d.json", set(), {"depot"})
    apis = declared(found)["apis"]
    assert list(apis) == ["depot_2", "depot_3"]
    assert apis["depot_2"]["headers"] == {"X-Key": "${DEPOT_X_KEY}"}
    assert found.variables == ("DEPOT_USER", "DEPOT_PASSWORD", "DEPOT_X_KEY", "DEPOT_TOKEN")
    assert "mtls" in found.notes[0]


@pytest.mark.parametrize(
    ("servers", "base_url"),
    [
        ([REGIONAL], "https://eu.d.example:8443/v1"),
        ([{"url": "/v2"}], "${DEPOT_URL}"),
        ([], "${DEPOT_URL}"),
        ([{"url": "ftp://d.example"}], "${DEPOT_URL}"),
        ([{"url": "https://u:p@d.example"}], "${DEPOT_URL}"),
        ([{"url": "https://d.example/${HOME}"}], "${DEPOT_URL}"),
        ([{"url": "https://d.example:x/"}], "${DEPOT_URL}"),
        ("x", "${DEPOT_URL}"),
        ([{"url": "https://d.example/v1?api_key=geheim-1"}], "${DEPOT_URL}"),
        ([{"url": "https://d.example/v1?lang=de"}], "https://d.example/v1?lang=de"),
    ],
)  # fmt: skip
def test_an_address_that_is_none_waits_for_a_variable(servers: Any, base_url: str) -> None:
    found = made({"/x": {"get": {}}}, servers=servers)
    assert found["apis"]["depot"]["base_url"] == base_url


def test_keys_do_not_go_over_plain_http() -> None:
    more = {"components": {"securitySchemes": SCHEMES}, "security": [{"bearer": []}]}
    found = made({"/x": {"get": {}}}, servers=[{"url": "http://d.example"}], **more)
    assert found["apis"]["depot"]["base_url"] == "${DEPOT_URL}"


@pytest.mark.parametrize(
    ("declared_parameter", "words"),
    [
        (parameter("q", schema={"$ref": "https://e.example/q.json"}), "leads out"),
        (parameter("q", schema={"$ref": "../../etc/passwd"}), "leads out"),
        ({"$ref": "#/components/parameters/none"}, "names nothing"),
        ({"$ref": "#/paths/~1x/get/parameters/0"}, "back to itself"),
        (parameter("c", "cookie", required=True), "a cookie"),
        ({"name": "f", "in": "query", "required": True, "content": {}}, "no plain value"),
    ],
)  # fmt: skip
def test_an_operation_that_can_be_no_tool_is_left_out(declared_parameter: Any, words: str) -> None:
    operation = {"parameters": [declared_parameter]}
    text = document({"/x": {"get": operation}, "/y": {"get": {"operationId": "y"}}})
    found = import_openapi(text, "d.json", set(), set())
    assert found.tools == ("y",)
    assert words in found.notes[0]


def test_only_what_fits_is_taken() -> None:
    paths = {
        "/a": {"get": {"operationId": "getA", "tags": ["stock"]}, "post": {"operationId": "addA"}},
        "/b/{id}": {"get": {"operationId": "getB"}},
    }
    wanted = {"get*": ("getA", "getB"), "stock": ("getA",), "/b/*": ("getB",)}
    for glob, tools in wanted.items():
        found = import_openapi(document(paths), "d.json", set(), set(), only=(glob,))
        assert found.tools == tools


def test_globs_that_fit_nothing_are_told_with_what_there_is() -> None:
    paths = {"/a": {"get": {"operationId": "getA"}, "post": {"operationId": "addA"}}}
    with pytest.raises(UsageError) as caught:
        import_openapi(document(paths), "d.json", set(), set(), only=("zzz*",))
    assert caught.value.message == "no operation fits 'zzz*'; there are: getA, addA"


def test_lists_are_joined_where_the_document_says_so() -> None:
    many = parameter("ids", schema={"type": "array", "items": {"type": "string"}}, explode=False)
    found = made({"/x": {"get": {"parameters": [many]}}, "/y": {"get": {}}})
    assert [api.get("query_arrays") for api in found["apis"].values()] == ["comma", None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON"),
        ("a: [", "neither JSON nor YAML"),
        ("just words", "no OpenAPI document"),
        ('{"swagger": "2.0", "paths": {}}', "is Swagger 2.0"),
        ('{"openapi": "3.1.0"}', "declares no paths"),
        ('{"openapi": "3.1.0", "paths": {}}', "no operation"),
        ("[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_document_is_told(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        import_openapi(text, "d.json", set(), set())


def test_a_document_that_unfolds_without_end_is_left_out() -> None:
    schemas = {f"S{n}": {"properties": {
        key: {"$ref": f"#/components/schemas/S{n + 1}"} for key in "abcdefgh"
    }} for n in range(12)}  # fmt: skip
    fields = {"properties": {"root": {"$ref": "#/components/schemas/S0"}}}
    found = made({"/x": {"post": body(fields)}}, components={"schemas": {**schemas, "S12": {}}})
    assert len(json.dumps(found)) < 100_000


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents_of_others_become_tools_that_lint_clean(
    path: Path, workspace: Any, tm_command: Any
) -> None:
    found = import_openapi(path.read_text(), path.name, set(), set())
    root = workspace({f"tenants/shop/{name}": text for name, text in found.files.items()})
    report = tm_command("lint", "--json", "--ignore", "TM110,TM401", cwd=root).json
    assert report["findings"] == []
    assert report["summary"]["files"] == len(found.tools) + 1


def test_a_document_of_webhooks_alone_has_no_paths() -> None:
    path = DATA / "readme__3.1_webhooks.json"
    with pytest.raises(UsageError, match="declares no paths"):
        import_openapi(path.read_text(), path.name, set(), set())


@pytest.mark.parametrize("title", ["Files", "knowledge", "CON", "tmp"])
def test_config_never_goes_to_a_folder_that_holds_none(title: str) -> None:
    text = document({"/x": {"get": {"operationId": "con"}}}, info={"title": title})
    found = import_openapi(text, "d.json", set(), set())
    assert {path.partition("/")[0] for path in found.files} == {f"{title.lower()}-api"}
    assert f"{title.lower()}-api/con_.yaml" in found.files


def test_odd_braces_and_endless_nesting_are_no_crash() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(400):
        deep = {"allOf": [deep]}
    paths = {
        "/a/{}": {"get": {}},
        "/b/{p": {"get": {}},
        "/c": {"post": body(deep)},
        "/d": {"get": {}},
    }
    found = import_openapi(document(paths), "d.json", set(), set())
    assert "get__d" in found.tools


def test_no_token_of_a_document_lands_in_a_file() -> None:
    token = "sk-live-geheim1geheim2geheim3"
    parts = [
        parameter(name, schema={"type": "string", key: value})
        for name, key, value in (
            ("a", "default", token), ("b", "enum", [f"Bearer {token}"]), ("c", "example", token),
        )
    ]  # fmt: skip
    found = import_openapi(document({"/x": {"get": {"parameters": parts}}}), "d.json", set(), set())
    assert "geheim" not in str(found.files)
