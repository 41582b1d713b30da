"""Tools against a real ERP: all methods, dry run, its errors, record and replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Finished

CONFIG = """
apis:
  erp:
    base_url: "${ERP_URL}"
    auth: {type: bearer, token: "${ERP_KEY}"}
    headers: {X-Tryton-Context: eyJjb21wYW55IjogMX0=}
tools:
  readParty:
    description: Read a party.
    parameters:
      type: object
      properties: {id: {type: integer, description: Id.}}
      required: [id]
    api: erp
    method: GET
    path: /model/party.party/{id}?f=name&f=code
    mapping: {name: name, code: code}
  createParty:
    description: Create a party.
    parameters:
      type: object
      properties:
        name: {type: string, description: Name.}
        code: {type: string, description: Code.}
      required: [name]
    api: erp
    method: POST
    path: /model/party.party?f=name&f=code
    mapping: {id: id, name: name, code: code, status: $status}
  renameParty:
    description: Rename a party.
    parameters:
      type: object
      properties:
        id: {type: integer, description: Id.}
        name: {type: string, description: Name.}
      required: [id, name]
    api: erp
    method: PUT
    path: /model/party.party/{id}?f=name
    mapping: {name: name}
  deleteParty:
    description: Delete a party.
    parameters:
      type: object
      properties: {id: {type: integer, description: Id.}}
      required: [id]
    api: erp
    method: DELETE
    path: /model/party.party/{id}
    mapping: {status: $status}
  moveParty:
    description: Create a party, read it back and delete it, all in Python.
    parameters:
      type: object
      properties: {name: {type: string, description: Name.}}
      required: [name]
    api: erp
    method: GET
    path: /model/party.party?s=1
    handler: move.py:move
"""

HANDLER = """
def move(results, args, ctx):
    ctx["logger"].info("start")
    http, tool = ctx["http"], ctx["tool"]
    made = http.post("/model/party.party?f=name", json={"name": args["name"]}).json()
    if "id" not in made:
        return {"stub": made}
    read = tool("readParty", {"id": made["id"]})
    gone = http.delete(f"/model/party.party/{made['id']}")
    ctx["logger"].info("end")
    return {"read": read["name"], "status": gone.status}
"""


@pytest.fixture
def erp_tenant(workspace) -> Path:
    """Return the root of a workspace whose tools write parties."""
    return workspace(
        {"tenants/acme/erp.yaml": CONFIG, "tenants/acme/move.py": HANDLER},
    )


def run(tm_command, root: Path, server, tool: str, *words: str) -> Finished:
    """Run a tool with --json; `server` gives the two variables."""
    return tm_command("test-tool", tool, *words, "--json", cwd=root, env=server.env)


def test_post_put_get_and_delete_change_the_erp(tm_command, erp_tenant, erp):
    made = run(tm_command, erp_tenant, erp, "createParty", "--arg", "name=Töpferei Lehm")
    assert made.code == 0, made.output
    party = made.json["result"]
    assert "Töpferei Lehm" in erp.customer_names()
    chosen = f"id={party['id']}"

    renamed = run(
        tm_command, erp_tenant, erp, "renameParty", "--arg", chosen, "--arg", "name=Töpferei Ton"
    )
    assert renamed.json["result"] == {"name": "Töpferei Ton"}

    read = run(tm_command, erp_tenant, erp, "readParty", "--arg", chosen)
    assert read.json["result"]["name"] == "Töpferei Ton"
    assert {"Töpferei Ton"} == erp.customer_names() & {"Töpferei Ton", "Töpferei Lehm"}

    deleted = run(tm_command, erp_tenant, erp, "deleteParty", "--arg", chosen)
    assert deleted.json["result"] == {"status": 204}
    assert "Töpferei Ton" not in erp.customer_names()


def test_handler_writes_through_its_own_client_and_nested_tools(tm_command, erp_tenant, erp):
    done = run(tm_command, erp_tenant, erp, "moveParty", "--arg", "name=Zwischendurch")
    assert done.json["result"] == {"read": "Zwischendurch", "status": 204}
    assert "Zwischendurch" not in erp.customer_names()


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("createParty", ["--arg", "name=Nie gesehen"]),
        ("renameParty", ["--arg", "id=3", "--arg", "name=Nie gesehen"]),
        ("deleteParty", ["--arg", "id=5"]),
        ("moveParty", ["--arg", "name=Nie gesehen"]),
    ],
)
def test_dry_run_leaves_the_erp_as_it_is(tm_command, erp_tenant, erp, tool, words):
    before = erp.customer_names()
    done = run(tm_command, erp_tenant, erp, tool, *words, "--dry-run")
    assert done.code == 0, done.output
    assert done.json["dry_run"] is True
    assert any(call["stubbed"] for call in done.json["http"])
    assert erp.customer_names() == before


def test_dry_run_sends_reads(tm_command, erp_tenant, erp):
    done = run(tm_command, erp_tenant, erp, "readParty", "--arg", "id=3", "--dry-run")
    assert done.json["result"] == {"name": "Café Ährenfeld", "code": "K-1002"}


def test_wrong_key_is_an_error_that_does_not_show_it(tm_command, erp_tenant, erp):
    env = {**erp.env, "ERP_KEY": "wrong-key-of-the-test"}
    words = ["test-tool", "readParty", "--arg", "id=3", "--json", "-v", "--curl"]
    done = tm_command(*words, cwd=erp_tenant, env=env)
    assert done.code == 1
    assert done.json["error"]["code"] == "TM504"
    assert "401" in done.json["error"]["message"]
    assert "wrong-key-of-the-test" not in done.output


def test_error_page_of_an_unknown_record_reaches_the_model(tm_command, erp_tenant, erp):
    done = run(tm_command, erp_tenant, erp, "readParty", "--arg", "id=999999")
    assert (done.code, done.json["error"]["code"]) == (1, "TM504")
    assert "404" in done.json["error"]["message"]


def test_erps_own_words_about_a_duplicate_reach_the_model(tm_command, erp_tenant, erp):
    words = ["--arg", "name=Zweites Café", "--arg", "code=K-1002"]
    done = run(tm_command, erp_tenant, erp, "createParty", *words)
    assert (done.code, done.json["error"]["code"]) == (1, "TM504")
    assert "code on party must be unique" in done.json["error"]["message"].replace("\\n", " ")


def test_missing_key_is_named_before_anything_is_sent(tm_command, erp_tenant, erp):
    words = ["test-tool", "readParty", "--arg", "id=3", "--json"]
    done = tm_command(*words, cwd=erp_tenant, env={"ERP_URL": erp.url})
    assert (done.code, done.json["error"]["code"]) == (1, "TM503")
    assert "ERP_KEY" in done.json["error"]["message"]


def test_recorded_runs_replay_with_the_server_stopped(tm_command, erp_tenant, fresh_erp):
    create = ["createParty", "--arg", "name=Aufgenommen", "--arg", "code=K-77"]
    read = ["readParty", "--arg", "id=2"]
    with fresh_erp() as server:
        live = [run(tm_command, erp_tenant, server, *words, "--record") for words in (create, read)]
    assert [done.code for done in live] == [0, 0], live[0].output

    replayed = [
        tm_command("test-tool", *words, "--json", "--replay", cwd=erp_tenant)
        for words in (create, read)
    ]
    assert [done.code for done in replayed] == [0, 0], replayed[0].output
    assert [done.json["result"] for done in replayed] == [done.json["result"] for done in live]
    assert replayed[0].json["mode"] == "replay"

    cassettes = sorted((erp_tenant / "tenants/acme/cassettes").rglob("*.yaml"))
    assert [path.parent.name for path in cassettes] == ["createParty", "readParty"]
    assert all(server.key not in path.read_text() for path in cassettes)


def test_request_that_is_not_recorded_shows_the_nearest(tm_command, erp_tenant, erp):
    run(tm_command, erp_tenant, erp, "readParty", "--arg", "id=3", "--record")
    words = ["test-tool", "readParty", "--arg", "id=4", "--json", "--replay"]
    done = tm_command(*words, cwd=erp_tenant)
    assert (done.code, done.json["error"]["code"]) == (1, "TM513")


def test_stopped_server_is_a_connection_error(tm_command, erp_tenant, fresh_erp):
    with fresh_erp() as server:
        pass
    done = run(tm_command, erp_tenant, server, "createParty", "--arg", "name=Niemand")
    assert (done.code, done.json["error"]["code"]) == (1, "TM506")
    assert server.key not in done.output
