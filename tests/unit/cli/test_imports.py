import io
import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import InProcess

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Depot"},
    "servers": [{"url": "https://d.example"}],
    "components": {"securitySchemes": {"t": {"type": "http", "scheme": "bearer"}}},
    "security": [{"t": []}],
    "paths": {"/x": {"get": {"operationId": "getX"}, "post": {"operationId": "echo"}}},
}


def test_an_import_says_what_came_and_what_is_to_be_set(tm: InProcess, shop: Path) -> None:
    (shop / "d.json").write_text(json.dumps(DOCUMENT))
    done = tm("import", "openapi", "d.json")
    assert done.code == 0
    assert done.stdout.splitlines() == [
        "tenants/acme/depot/depot.yaml",
        "tenants/acme/depot/getX.yaml",
        "tenants/acme/depot/echo_2.yaml",
    ]
    assert "echo 'DEPOT_TOKEN=...' >> tenants/acme/.env" in done.stderr
    again = tm("import", "openapi", "d.json", "--json")
    assert (again.code, again.json["ok"]) == (2, False)
    assert "exists already" in again.json["error"]["message"]


def test_another_name_makes_another_api(tm: InProcess, shop: Path) -> None:
    (shop / "d.json").write_text(json.dumps(DOCUMENT))
    assert tm("import", "openapi", "d.json", "--only", "getX", "--api", "wms", "--json").json == {
        "ok": True,
        "tools": ["getX"],
        "files": ["tenants/acme/wms/wms.yaml", "tenants/acme/wms/getX.yaml"],
        "variables": ["WMS_TOKEN"],
        "notes": [],
    }
    assert (
        tm("import", "openapi", "d.json", "--api", "wms", "--json").json["error"]["code"] == "TM006"
    )


def test_definitions_become_stubs_that_run(tm: InProcess, shop: Path) -> None:
    (shop / "t.json").write_text(json.dumps([{"name": "calc", "parameters": {"type": "dict"}}]))
    assert tm("import", "openai", "t.json").code == 0
    assert tm("test-tool", "calc", "--json").json["result"] == {"stub": True, "args": {}}
    assert tm("lint", "tenants/acme/tools", "--json").json["summary"]["errors"] == 0
    assert (
        tm("import", "openai", "t.json", "--api", "nope", "--json").json["error"]["code"] == "TM515"
    )


class Typed(io.TextIOWrapper):
    """What is typed into a pipe."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))


def test_a_curl_command_is_read_from_stdin(
    tm: InProcess, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Typed(b"curl https://a.example/x -H 'X-Key: k-77'"))
    done = tm("import", "curl", "--name", "getX")
    assert done.code == 0
    assert "k-77" not in done.output + (shop / "tenants/acme/tools/getX.yaml").read_text()
    monkeypatch.setattr("sys.stdin", Typed(b"curl https://a.example/x"))
    assert tm("import", "curl", "--name", "echo", "--json").json["error"]["code"] == "TM006"


@pytest.mark.parametrize(
    ("data", "words"), [(None, "can't be read"), (b"\xff\xfe{", "no UTF-8"), (b"{", "no JSON")]
)
def test_a_file_that_can_not_be_read_is_told(
    tm: InProcess, shop: Path, data: bytes | None, words: str
) -> None:
    if data is not None:
        (shop / "d.json").write_bytes(data)
    for kind in ("openapi", "openai"):
        done = tm("import", kind, "d.json")
        assert (done.code, words in done.stderr) == (2, True)
