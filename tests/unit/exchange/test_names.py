import pytest

from tm.exchange.names import argument_name, slug, tool_name, variable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getOrder", "getOrder"),
        ("list-items_2", "list-items_2"),
        ("orders/get", "orders_get"),
        ("../../../escaped", "escaped"),
        ("Größe ändern", "Groesse_aendern"),
        ("café", "cafe"),
        ("日本", "tool"),
        ("", "tool"),
        ("a" * 80, "a" * 64),
        ("get__things", "get__things"),
    ],
)
def test_a_name_that_models_take_stays(text: str, expected: str) -> None:
    assert tool_name(text, set()) == expected


def test_a_name_that_is_taken_gets_a_number_and_still_fits() -> None:
    assert tool_name("get", {"get", "get_2"}) == "get_3"
    long = "a" * 64
    assert tool_name(long, {long}) == "a" * 62 + "_2"


def test_an_argument_has_no_characters_of_paths() -> None:
    assert argument_name("filter[name].first", set()) == "filter_name_first"
    assert argument_name("$", {"value"}) == "value_2"


def test_words_become_folders_and_variables() -> None:
    assert slug("Order Service: v2 (Übersicht)") == "order-service-v2-uebersicht"
    assert slug("../..") == "api"
    assert variable("order-service", "x-api-key") == "ORDER_SERVICE_X_API_KEY"
    assert variable("3scale", "token") == "API_3SCALE_TOKEN"
