"""The request that a tool makes with its arguments."""

import pytest

from tm.errors import Location, ToolError
from tm.model import ABSENT, Tool
from tm.runner.request import build_request


def tool(**fields):
    start = {
        "name": "setStock",
        "tenant": "acme",
        "home": "acme",
        "at": Location("tenants/acme/stock.yaml", 2, 3),
        "description": "Stock.",
        "parameters": {"type": "object", "properties": {"sku": {}, "place": {}, "count": {}}},
        "api": "erp",
        "method": "GET",
        "path": "/stock/{sku}",
    }
    return Tool(**{**start, **fields})


def built(declared, args, extra=None):
    return build_request(declared, args, extra or {}, expand=lambda text: text.replace("${V}", "v"))


ARGS = {"sku": "A 1", "place": "H2", "count": 3}


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE"])
def test_unused_arguments_go_to_the_query_of_reads_and_deletes(method):
    request = built(tool(method=method), ARGS)
    assert (request.path, request.query, request.body) == (
        "/stock/A%201", {"place": "H2", "count": 3}, ABSENT,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_unused_arguments_go_to_the_body_of_writes(method):
    request = built(tool(method=method), {"sku": "A1", "place": None})
    assert (request.query, request.body) == ({}, {"place": None})


def test_write_whose_parameters_are_all_left_out_sends_an_empty_object():
    assert built(tool(method="POST", path="/stock"), {}).body == {}


def test_write_without_any_parameters_sends_no_body():
    assert built(tool(method="POST", path="/run", parameters={"type": "object"}), {}).body is ABSENT


def test_with_query_or_body_only_what_they_name_is_sent():
    request = built(tool(method="POST", query={"to": "place"}), ARGS)
    assert (request.query, request.body) == ({"to": "H2"}, ABSENT)
    request = built(tool(method="POST", body={"n": "count", "by": {"value": "${V}"}}), ARGS)
    assert (request.query, request.body) == ({}, {"n": 3, "by": "v"})


def test_query_of_preprocess_wins():
    request = built(tool(query={"to": "place"}), ARGS, {"to": "H9", "page": 2})
    assert request.query == {"to": "H9", "page": 2}


def test_headers_are_filled_from_arguments_and_absent_ones_left_out():
    request = built(tool(headers={"X-Place": "place", "X-Gone": "gone", "X-T": "p {place}"}), ARGS)
    assert request.headers == {"X-Place": "H2", "X-T": "p H2"}


def test_argument_that_can_not_stand_in_the_path_is_refused():
    with pytest.raises(ToolError) as raised:
        built(tool(method="DELETE"), {"sku": ".."})
    assert raised.value.code == "TM501"
    assert raised.value.details[0].path == "sku"
