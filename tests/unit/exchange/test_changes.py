from typing import Any

from tests.unit.exchange.test_export import tool
from tm.errors import Location
from tm.exchange.changes import View, compare
from tm.model import Assistant
from tm.records import replace

AT = Location("tenants/shop/shop.yaml", 1)


def assistant(name: str, *tools: str, **declared: Any) -> Assistant:
    return Assistant(name=name, tenant="shop", at=AT, tools=tools, declared=declared)


def view(*names: str, desk: tuple[str, ...] | None = ("a", "b"), **more: Any) -> View:
    assistants = {} if desk is None else {"desk": assistant("desk", *desk)}
    return View("shop", {name: tool(name) for name in names}, assistants, **more)


def rows(old: View, new: View) -> list[tuple[str, str | None, tuple[str, ...], str]]:
    return [(c.level, c.tool, c.assistants, c.message) for c in compare(old, new)]


def test_the_same_twice_is_no_change() -> None:
    assert compare(view("a", "b"), view("a", "b")) == []


def test_a_tool_that_is_gone_breaks_its_assistants() -> None:
    assert rows(view("a", "b"), view("a")) == [("breaking", "b", ("desk",), "'b' is gone")]


def test_a_tool_whose_file_broke_is_gone_for_that_reason() -> None:
    found = rows(view("a", "b"), view("a", reasons={"b": "x.yaml:1: does not parse"}))
    assert found == [("breaking", "b", ("desk",), "'b' is gone: x.yaml:1: does not parse")]


def test_a_file_that_was_broken_before_gives_no_new_tool() -> None:
    assert compare(view("a", reasons={"b": "broken"}), view("a", "b")) == []


def test_a_tool_that_an_assistant_drops_breaks_it() -> None:
    ((level, name, assistants, message),) = rows(view("a", "b"), view("a", "b", desk=("a",)))
    assert (level, name, assistants) == ("breaking", "b", ("desk",))
    assert "no longer listed" in message


def test_a_tool_that_an_assistant_gets_is_harmless() -> None:
    ((level, _, assistants, message),) = rows(view("a", "b", desk=("a",)), view("a", "b"))
    assert (level, assistants, message) == ("harmless", ("desk",), "'b' is listed now")


def test_what_no_assistant_lists_is_harmless() -> None:
    ((level, _, assistants, message),) = rows(view("a", "b", "c"), view("a", "b"))
    assert (level, assistants) == ("harmless", ())
    assert "no assistant lists it" in message


def test_without_assistants_all_tools_count() -> None:
    assert rows(view("a", desk=None), view(desk=None))[0][0] == "breaking"
    before, after = view("a", desk=None), view("a", desk=None)
    after = replace(after, tools={"a": replace(tool("a"), description="Else.")})
    assert rows(before, after) == [("risky", "a", (), "the description changed")]


def test_assistants_come_go_and_change() -> None:
    old = View("shop", {}, {"x": assistant("x", system_prompt="A"), "y": assistant("y")})
    new = View("shop", {}, {"x": assistant("x", system_prompt="B", max_tokens=5)})
    assert [(c.level, c.path) for c in compare(old, new)] == [
        ("breaking", ""), ("risky", "system_prompt"), ("harmless", "max_tokens"),
    ]  # fmt: skip
    assert [c.message for c in compare(new, old) if c.assistants == ("y",)] == [
        "assistant 'y' is new"
    ]


def test_the_worst_comes_first_and_json_has_its_keys() -> None:
    found = compare(view("a", "b"), view("a", "c", desk=("a", "c")))
    assert [change.level for change in found] == ["breaking", "harmless"]
    assert set(found[0].to_json()) == {
        "level", "tool", "tenant", "assistants", "path", "message",
    }  # fmt: skip
