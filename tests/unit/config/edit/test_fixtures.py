"""Named cases written into the file of their tool."""

import pytest

from tm.builtin.tools import BUILTINS
from tm.config.edit.fixtures import add_fixture, write_fixture_value
from tm.config.loader import Catalog
from tm.errors import ConfigError, UsageError

FILES = {
    "tenants/depot/rates.yaml": """
        tools:
          getRate:
            description: Rate.
            handler: "rates.py:rate"
            fixtures:
              # zone A is Hamburg
              - {name: hamburg, args: {}, expect: {eur: 5.9}}
        """,
    "tenants/depot/rates.py": "def rate(results, args, ctx):\n    return {}\n",
    "tenants/depot/base.yaml": "tools:\n  ownRate:\n    extends: sharedRate\n",
    "tenants/_shared/shared.yaml": """
        tools:
          sharedRate:
            description: Rate.
            handler: "f.py:rate"
            fixtures: [{name: base, args: {}}]
        """,
    "tenants/_shared/f.py": "def rate(results, args, ctx):\n    return {}\n",
}


@pytest.fixture
def root(workspace):
    return workspace(FILES)


def tool(root, name: str):
    return Catalog(root, environ={}).find_tool("depot", name)


def test_expectation_is_written_where_it_stands(root):
    path = write_fixture_value(root, tool(root, "getRate"), "hamburg", "expect", {"eur": 4.9})
    assert path == "tenants/depot/rates.yaml"
    text = (root / path).read_text()
    assert "      - {name: hamburg, args: {}, expect: {eur: 4.9}}\n" in text
    assert "# zone A is Hamburg" in text
    assert tool(root, "getRate").fixtures[0].expect == {"eur": 4.9}


def test_new_case_comes_last_with_its_keys_in_their_usual_order(root):
    path = add_fixture(root, tool(root, "getRate"), {"args": {"a": 1}, "name": "run-7"})
    assert (root / path).read_text().endswith("      - name: run-7\n        args: {a: 1}\n")


def test_mode_of_the_file_stays(root):
    file = root / "tenants/depot/rates.yaml"
    file.chmod(0o640)
    add_fixture(root, tool(root, "getRate"), {"name": "x", "args": {}})
    assert file.stat().st_mode & 0o777 == 0o640


def test_inherited_cases_are_copied_into_the_tools_own_file(root):
    shared = (root / "tenants/_shared/shared.yaml").read_text()
    path = add_fixture(root, tool(root, "ownRate"), {"name": "mine", "args": {}})
    assert path == "tenants/depot/base.yaml"
    assert [case.name for case in tool(root, "ownRate").fixtures] == ["base", "mine"]
    assert (root / "tenants/_shared/shared.yaml").read_text() == shared


def test_shared_file_gets_no_case_of_one_tenant(root):
    with pytest.raises(UsageError, match="every tenant's"):
        add_fixture(root, tool(root, "sharedRate"), {"name": "mine", "args": {}})


def test_unknown_case_is_refused(root):
    with pytest.raises(UsageError, match="has no case 'kiel'"):
        write_fixture_value(root, tool(root, "getRate"), "kiel", "expect", 1)


def test_tool_that_went_from_its_file_is_refused(root):
    gone = tool(root, "getRate")
    (root / "tenants/depot/rates.yaml").write_text("tools: {}\n")
    with pytest.raises(ConfigError, match=r"not in tenants/depot/rates\.yaml any more"):
        add_fixture(root, gone, {"name": "x", "args": {}})


def test_file_that_can_not_be_written_is_told_in_words(root, monkeypatch):
    def refuse(*_args: object, **_flags: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tm.config.edit.fixtures.write_atomic", refuse)
    with pytest.raises(UsageError, match="can't be written: no space left on device"):
        add_fixture(root, tool(root, "getRate"), {"name": "x", "args": {}})


def test_tools_of_tm_itself_have_no_file_for_a_case(root):
    own = Catalog(root, environ={}, builtin=BUILTINS).find_tool("depot", "readFile")
    with pytest.raises(UsageError, match="one of tm's own tools"):
        add_fixture(root, own, {"name": "x", "args": {}})


def test_a_file_that_went_or_became_a_link_is_told_in_words(root):
    rate = tool(root, "getRate")
    file = root / "tenants/depot/rates.yaml"
    file.rename(root / "elsewhere.yaml")
    with pytest.raises(ConfigError, match="can't be read"):
        add_fixture(root, rate, {"name": "x", "args": {}})
    file.symlink_to(root / "elsewhere.yaml")
    with pytest.raises(ConfigError, match="link"):
        add_fixture(root, rate, {"name": "x", "args": {}})
