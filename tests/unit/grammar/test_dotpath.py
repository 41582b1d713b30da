import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tm.errors import ConfigError, Location
from tm.grammar.dotpath import Found, parse_path

BODY = {
    "no": "A-1",
    "items": [{"sku": "X", "qty": 1, "tags": ["a", "b"]}, {"sku": "Y", "tags": []}],
    "ship": [{"address": {"city": "Husum"}}, {"address": {}}, {"address": None}, {}],
    "customer-name": {"first.name": "Erika", "first": {"name": "wrong"}},
    "releases": {"4.0.0": {"date": "2024-01-15"}},
    "@odata.nextLink": "/p2",
    "profile": None,
    "falsy": {"zero": 0, "no": False, "empty": "", "none": None, "list": []},
    "größe": {"länge": 5},
    "by_number": {"0": "zero", "-1": "minus"},
    "*": {"x": "star"},
    "matrix": [[1, 2], [3]],
}


def find(text, body=BODY, **kwargs):
    return parse_path(text).find(body, **kwargs)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "A-1"),
        (" no ", "A-1"),
        ("items.1.sku", "Y"),
        ("items.-1.sku", "Y"),
        ("items.*.sku", ["X", "Y"]),
        ("items.*.qty", [1, None]),
        ("items.*.tags.*", [["a", "b"], []]),
        ("items.*.tags.0", ["a", None]),
        ("matrix.*.*", [[1, 2], [3]]),
        ("ship.*.address.city", ["Husum", None, None, None]),
        ("releases.*.date", ["2024-01-15"]),
        ('"customer-name"."first.name"', "Erika"),
        ('releases."4.0.0".date', "2024-01-15"),
        ('"@odata.nextLink"', "/p2"),
        ('"gr\\u00f6\\u00dfe"."länge"', 5),
        ("größe.länge", 5),
        ("by_number.0", "zero"),
        ("by_number.-1", "minus"),
        ('"*".x', "star"),
        ("falsy.zero", 0),
        ("falsy.no", False),
        ("falsy.empty", ""),
        ("falsy.none", None),
        ("falsy.list", []),
        ("falsy.list.*", []),
        ("@", BODY),
        ("@.no", "A-1"),
    ],
)
def test_a_simple_path_finds(text, value):
    found = find(text)
    assert found.value == value
    assert parse_path(text).expression is None


@pytest.mark.parametrize(
    ("text", "missing", "reason"),
    [
        ("customer.vat_id", "customer", "the response has no 'customer'"),
        ("falsy.zer0", "falsy.zer0", "'falsy' has no 'zer0'; did you mean 'zero'?"),
        ("profile.url", "profile.url", "'profile' is null"),
        ("profile.*.x", "profile.*", "'profile' is null"),
        ("items.9.sku", "items.9", "'items' is a list of 2, which has no '9'"),
        ("items.-3", "items.-3", "'items' is a list of 2, which has no '-3'"),
        ("items.sku", "items.sku", "'items' is a list of 2, which has no 'sku'"),
        ("items.99999999999999999999", "items.99999999999999999999", "'items' is a list of 2"),
        ("no.x", "no.x", "'no' is neither an object nor a list"),
        ("no.*", "no.*", "'no' is neither an object nor a list"),
        ("no.upper", "no.upper", "'no' is neither an object nor a list"),
        ("items.*.qty", "items.1.qty", "'items.1' has no 'qty'"),
        ('releases."5.0"', 'releases."5.0"', "'releases' has no '5.0'"),
        ("items.\u0660", "items.\u0660", "'items' is a list of 2"),
    ],
)
def test_what_is_missing_is_named_with_its_reason(text, missing, reason):
    found = find(text)
    assert found.value is None or isinstance(found.value, list)
    assert found.missing == missing
    assert found.reason.startswith(reason)


def test_a_null_that_is_there_is_not_missing():
    assert find("falsy.none") == Found(None)


def test_the_response_itself_may_be_null_or_a_list():
    assert find("a.b", None) == Found(None, "a", "the response is null")
    assert find("*.id", [{"id": 1}]).value == [1]
    assert find("0.id", [{"id": 1}]).value == 1


def test_status_and_headers_are_the_responses():
    headers = {"Location": "/orders/7", "X-Next.Page": "2"}
    assert find("$status", status=201).value == 201
    assert find("$headers.location", headers=headers).value == "/orders/7"
    assert find("$headers.LOCATION", headers=headers).value == "/orders/7"
    assert find('$headers."X-Next.Page"', headers=headers).value == "2"
    assert find("$headers.content-type", headers={"content-type": "a/b"}).value == "a/b"
    assert find("$headers", headers=headers).value == {"location": "/orders/7", "x-next.page": "2"}


def test_without_a_response_they_are_missing():
    assert find("$status") == Found(None, "$status", "there was no response")
    assert find("$headers.etag").reason == "the response has no header 'etag'"


class TestJmespath:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("items[?qty].{id: sku, n: qty}", [{"id": "X", "n": 1}]),
            ("items[0].sku", "X"),
            ("length(items)", 2),
            ("items[].sku | [0]", "X"),
            ("not_null(profile, no)", "A-1"),
        ],
    )
    def test_what_uses_more_is_jmespath(self, text, value):
        assert find(text) == Found(value)

    def test_an_expression_that_finds_nothing_is_missing(self):
        assert find("items[5].sku") == Found(None, "items[5].sku", "the expression found nothing")

    def test_an_expression_that_fails_is_missing_with_its_reason(self):
        found = find("length(profile)")
        assert found.missing == "length(profile)"
        assert "length()" in found.reason

    @pytest.mark.parametrize("text", ["items[?sku > `1`]", "items[::0]", "max_by(mixed, &n)"])
    def test_errors_that_jmespath_lets_out_are_caught(self, text):
        found = find(text, {**BODY, "mixed": [{"n": 1}, {"n": "x"}]})
        assert found.reason.startswith("the expression failed")

    def test_a_response_nested_too_deep_is_missing(self, monkeypatch):
        from tm.grammar import expression

        class Deep:
            def search(self, _):
                raise RecursionError

        assert expression.search("x", Deep(), {}).reason == "the response is nested too deep"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("lines[?qty > `0`", "does not parse at character 17"),
        ("customer-name", "does not parse at character 9"),
        ("a..b", "does not parse at character 3"),
        ("a.", "does not parse"),
        (".a", "does not parse at character 1"),
        ("a b", "does not parse at character 3"),
        ("items.0.tags[0]", "does not parse at character"),
        ("**", "does not parse"),
        ('"a', "does not parse"),
        ('"\\x"', "is no quoted key"),
        ("$.a.b", "does not parse at character 1"),
        ("$foo", "does not parse at character 1"),
        ("$status.x", "does not parse at character 1"),
        ("$headers.", "does not parse at character 1"),
        ("$headers.a.b", "does not parse at character 1"),
        ("lenght(items)", "calls 'lenght', which JMESPath does not have; did you mean 'length'"),
        ("items[?foo(@)]", "calls 'foo'"),
        ("length(a, b)", "length() takes 1 arguments, not 2"),
        ("merge()", "merge() takes 1 arguments, not 0"),
        ("(" * 2000, "mapping path"),
    ],
)
def test_a_path_that_does_not_parse_is_tm112(text, words):
    at = Location("tenants/demo/tools/getOrder.yaml", 14, 11)
    with pytest.raises(ConfigError, match=re.escape(words)) as raised:
        parse_path(text, at=at)
    assert raised.value.code == "TM112"
    assert raised.value.at == at
    with pytest.raises(ConfigError):
        parse_path(text)


def test_hints_say_what_to_write():
    with pytest.raises(ConfigError) as raised:
        parse_path("$.orders.0")
    assert raised.value.hint == "This is no JSONPath: leave `$.` out and write orders.0."
    with pytest.raises(ConfigError) as raised:
        parse_path("customer-name")
    assert '"customer-name"' in raised.value.hint


def test_parsed_paths_are_kept():
    assert parse_path("kept.path") is parse_path("kept.path")


def test_lookups_never_reach_attributes():
    class Sly(dict):
        secret = "s"

    assert find("secret", Sly()).missing == "secret"
    assert find("__class__", Sly()).missing == "__class__"


def test_simple_paths_import_no_jmespath():
    code = (
        "import sys; from tm.grammar.dotpath import parse_path;"
        "parse_path('a.*.b').find({}); print('jmespath' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


CASES = Path(__file__).parents[2] / "data" / "jsonpath-cts" / "simple_paths.json"


def as_mapping_path(selector):
    """Write `$.a['b'][0]` as `@.a."b".0`."""
    steps = re.findall(r"""\.([^.\[]+)|\[(-?\d+)\]|\["(.*?)"\]|\['(.*?)'\]""", selector[1:])
    texts = []
    for bare, index, double, single in steps:
        if index:
            texts.append(index)
        elif bare:
            texts.append(json.dumps(bare))
        else:
            texts.append('"' + (double or single.replace("\\'", "'")) + '"')
    return ".".join(["@", *texts])


def test_the_public_jsonpath_cases_find_the_same():
    for case in json.loads(CASES.read_text("utf-8"))["tests"]:
        found = find(as_mapping_path(case["selector"]), case["document"])
        ours = [] if found.missing else [found.value]
        assert ours == case["result"], case["name"]
