"""What is said of arguments that break their tool's own schema, and of circles."""

from __future__ import annotations

from pathlib import Path

from tests.unit.lint.samples import lint_root

TOOL = """\
tools:
  getTea:
    description: One tea.
    parameters:
      type: object
      properties: {id: {type: string, description: Its id.}}
      required: [id]
    api: shop
    method: GET
    path: /teas/{id}
    args_fixture: {ids: "7"}
apis:
  shop: {base_url: "https://shop.example"}
"""


def messages(root: Path, home: str, text: str) -> list[tuple[str, str | None]]:
    folder = root / "tenants" / home
    folder.mkdir(parents=True)
    (folder / "a.yaml").write_text(text, "utf-8")
    return [(found.message, found.help) for found in lint_root(root).findings]


def test_an_argument_that_the_message_names_is_not_named_twice(tmp_path: Path) -> None:
    ((message, _),) = messages(tmp_path, "shop", TOOL)
    assert message == (
        "args_fixture does not pass the tool's own parameters: unknown argument 'ids'; did you mean"
        " 'id'?; 'id' is missing; it is required: it must be a string; 'ids' was given instead"
    )


def test_an_argument_of_the_wrong_type_is_named(tmp_path: Path) -> None:
    ((message, _),) = messages(tmp_path, "shop", TOOL.replace('ids: "7"', "id: 7"))
    assert message.endswith("parameters: id must be a string; got 7")


def test_a_circle_is_to_be_opened(tmp_path: Path) -> None:
    circle = "tools:\n  a: {extends: b}\n  b: {extends: a}\n"
    found = messages(tmp_path, "_shared", circle)
    assert {help_ for _, help_ in found} == {"take one extends out"}
