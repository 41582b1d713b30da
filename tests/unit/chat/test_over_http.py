"""A chat whose model and tools answer over HTTP."""

from __future__ import annotations

import json
from threading import Event

import httpx
import pytest
import respx

from tests.conftest import write_tree
from tests.unit.chat.conftest import calls, says
from tm.chat.runs import _side_by_side

CONFIG = {
    "settings": {"providers": {"main": {"base_url": "http://127.0.0.1:9/v1", "api_key": "${KEY}"}}},
    "apis": {"wms": {"base_url": "http://127.0.0.1:9/wms"}},
    "tools": {
        "stock": {
            "description": "Stock.",
            "parameters": {"type": "object", "properties": {"sku": {"type": "string"}}},
            "api": "wms",
            "method": "GET",
            "path": "/stock",
        }
    },
    "assistants": {"desk": {"model": "m", "provider": "main", "tools": ["stock"]}},
}


def declare(bench, key="k-1"):
    for path in bench.root.glob("tenants/acme/*.yaml"):
        path.unlink()
    files = {"tenants/acme/all.yaml": json.dumps(CONFIG), "tenants/acme/.env": f"KEY={key}\n"}
    write_tree(bench.root, files)


@respx.mock(base_url="http://127.0.0.1:9")
def test_reads_of_one_answer_run_side_by_side_and_keep_their_order(respx_mock, bench):
    declare(bench)
    second_is_done = Event()

    def answer(request):
        sku = request.url.params["sku"]
        if sku == "A":
            assert second_is_done.wait(10)  # would never come, if A had to end first
        else:
            second_is_done.set()
        return httpx.Response(200, json={"sku": sku})

    respx_mock.get("/wms/stock").mock(side_effect=answer)
    pair = calls(("stock", {"sku": "A"}), ("stock", {"sku": "B"}))
    transcript = bench.ask(pair, says("Both."))
    assert [run["result"] for run in transcript.runs] == [{"sku": "A"}, {"sku": "B"}]


def test_what_a_thread_raises_is_raised_to_the_caller():
    def fail():
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        _side_by_side([fail, lambda: "fine"])


@respx.mock(base_url="http://127.0.0.1:9")
def test_the_provider_is_asked_with_its_key_and_a_new_key_counts_at_once(respx_mock, bench):
    declare(bench)
    route = respx_mock.post("/v1/chat/completions").mock(
        side_effect=[httpx.Response(429, json={"error": "slow"}, headers={"retry-after": "0.001"}),
                     *(httpx.Response(200, json=says("Hi")) for _ in range(3))]
    )  # fmt: skip
    with bench.chat() as chat:
        chat._given_model = None
        assert chat.ask("one").answer == "Hi"
        chat.ask("two")
        declare(bench, key="k-2")
        chat.ask("three")
    keys = [call.request.headers["authorization"] for call in route.calls]
    assert keys == ["Bearer k-1", "Bearer k-1", "Bearer k-1", "Bearer k-2"]
    assert any("again in" in getattr(event, "text", "") for event in bench.events)


@respx.mock(base_url="http://127.0.0.1:9")
def test_a_status_of_the_api_is_told_with_whether_to_try_again(respx_mock, bench):
    declare(bench)
    respx_mock.get("/wms/stock").mock(side_effect=lambda _: httpx.Response(404, text="no such"))
    bench.ask(calls(("stock", {"sku": "A"})), says("ok"))
    told = json.loads(bench.told()[0])
    assert (told["code"], told["retryable"]) == ("TM504", False)
    assert "no such" in told["message"]
