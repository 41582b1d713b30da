"""Python files declare plain data, read from the syntax tree; nothing of them runs."""

from __future__ import annotations

import pytest

from tm.config.py_source import read_python
from tm.config.source import Source

HEAD = """def run(results, args, ctx):
    ctx["logger"].info("start")
    return {}


"""


def read(text: str, path: str = "tenants/acme/tools/x.py", depth: int = 1) -> Source:
    return read_python((HEAD + text).encode(), path, depth=depth)


def only_problem(text: str):
    problems = read(text).problems
    assert len(problems) == 1, problems
    return problems[0]


def tool(text: str):
    source = read(f"{text}\n")
    assert not source.problems, source.problems[0].error
    return source.data["tools"]["t"]


def test_a_library_file_declares_nothing():
    source = read("")
    assert (source.data, source.problems) == ({}, ())


def test_empty_tools_are_fine():
    assert read("tools = {}\n").data == {"tools": {}}


def test_all_five_names_are_read():
    text = (
        "tools = {}\napis = {'a': {'base_url': 'u'}}\nassistants = {}\n"
        "scheduled = {}\nsettings = {'k': 1}\n"
    )
    assert set(read(text).data) == {"tools", "apis", "assistants", "scheduled", "settings"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a' 'b'", "ab"),
        ("'a' + B", "ab"),
        ("f'a{B}{1}'", "ab1"),
        ("'''a\nb'''", "a\nb"),
        ("-5", -5),
        ("+1.5", 1.5),
        ("60 * 60", 3600),
        ("10 - 3", 7),
        ("7 / 2", 3.5),
        ("7 // 2", 3),
        ("1 + 1", 2),
        ("not True", False),
        ("None", None),
        ("(1, 2)", [1, 2]),
        ("[1] + [2]", [1, 2]),
        ("[*L, 3]", [1, 2, 3]),
        ("{**D, 'y': 2}", {"x": 1, "y": 2}),
        ("{'x': 0, **D}", {"x": 1}),
        ("D | {'x': 2}", {"x": 2}),
        ("L", [1, 2]),
        ("1_000", 1000),
        ("0x1F", 31),
        ("'é'", "é"),
    ],
)
def test_reads_plain_data(text, value):
    constants = "B = 'b'\nL = [1, 2]\nD: dict = {'x': 1}\n"
    assert tool(f"{constants}tools = {{'t': {{'args_fixture': {text}}}}}") == {
        "args_fixture": value
    }


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("len('a')", "TM308"),
        ("{1, 2}", "TM308"),
        ("[x for x in (1, 2)]", "TM308"),
        ("{1: 'a'}", "TM003"),
        ("{'a': 1, 'a': 2}", "TM002"),
        ("b'bytes'", "TM308"),
        ("1j", "TM308"),
        ("1e999", "TM001"),
        ("'\\ud800'", "TM001"),
        ("'a' if True else 'b'", "TM308"),
        ("[1][0]", "TM308"),
        ("~5", "TM308"),
        ("-'a'", "TM308"),
        ("2 ** 8", "TM308"),
        ("1 / 0", "TM308"),
        ("'a' + 1", "TM308"),
        ("1 | 2", "TM308"),
        ("f'{1:>5}'", "TM308"),
        ("f'{D}'", "TM308"),
        ("{**L}", "TM308"),
        ("[*D]", "TM308"),
        ("UNKNOWN", "TM308"),
        ("run", "TM308"),
        ("10 * 1e308 * 10", "TM001"),
        ("[" * 140 + "]" * 140, "TM001"),
    ],
)
def test_refuses_what_is_no_plain_data(text, code):
    problem = only_problem(f"L = [1]\nD = {{}}\ntools = {{'t': {{'args_fixture': {text}}}}}\n")
    assert problem.error.code == code or problem.error.code in {"TM306", "TM307", "TM308", "TM001"}
    assert problem.tools == ("t",)
    assert problem.error.at.path == "tenants/acme/tools/x.py"


def test_constants_that_grow_without_end_are_refused():
    lines = ["A0 = ['x', 'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x']"]
    lines += [f"A{i} = {' + '.join([f'A{i - 1}'] * 10)}" for i in range(1, 8)]
    lines += ["tools = {'t': {'args_fixture': {'a': A7}}}\n"]
    assert only_problem("\n".join(lines)).error.code == "TM001"


def test_constants_that_name_each_other_are_refused():
    assert only_problem("A = B\nB = A\ntools = {'t': {'args_fixture': A}}\n").error.code == "TM001"


def test_a_broken_tool_leaves_its_neighbours():
    source = read("tools = {'bad': {'description': b'x'}, 'good': {'description': 'd'}}\n")
    assert list(source.data["tools"]) == ["good"]


def test_functions_are_named_by_file():
    assert tool("tools = {'t': {'handler': run}}")["handler"] == "x.py:run"


def test_imported_functions_are_named_by_their_file():
    text = (
        "from .lib.money import euro as e\nfrom ..up import f\n"
        "tools = {'t': {'handler': e, 'preprocess': f}}"
    )
    source = read_python(text.encode(), "tenants/acme/a/b/x.py", depth=2)
    assert source.data["tools"]["t"] == {
        "handler": "lib/money.py:euro",
        "preprocess": "../up.py:f",
    }


def test_file_function_texts_work_in_python_too():
    assert tool("tools = {'t': {'handler': 'y.py:f'}}")["handler"] == "y.py:f"


def test_function_texts_may_be_constants():
    assert tool("H = 'y.py:f'\ntools = {'t': {'handler': H}}")["handler"] == "y.py:f"


def test_function_in_a_merged_constant():
    text = "BASE = {'handler': run}\ntools = {'t': {**BASE, 'description': 'd'}}"
    assert tool(text) == {"handler": "x.py:run", "description": "d"}


@pytest.mark.parametrize(
    "value", ["lambda results, args, ctx: {}", "Thing", "len", "run.name", "make()"]
)
def test_handler_that_is_no_function_is_refused(value):
    text = (
        "class Thing:\n    pass\n\n\ndef make():\n    return run\n\n\n"
        f"tools = {{'t': {{'handler': {value}}}}}\n"
    )
    problem = only_problem(text)
    assert problem.error.code in {"TM117", "TM307", "TM308"}
    assert problem.tools == ("t",)
    assert problem.error.at.line > 5


@pytest.mark.parametrize(
    "text",
    [
        "tools = {'t': {}}\ntools = {'t': {}}\n",
        "tools = {'t': {}}\ntools['x'] = {}\n",
        "tools = {'t': {}}\ntools |= {'x': {}}\n",
        "tools = {'t': {}}\ntools.update({'x': {}})\n",
        "tools = {'t': {}}\ntools['t']['handler'] = run\n",
        "tools = {'t': {}}\ndel tools['t']\n",
        "tools, apis = {'t': {}}, {}\ntools = {'t': {}}\n",
    ],
)
def test_declarations_that_change_later_are_refused(text):
    problem = read(text).problems[0]
    assert problem.error.code == "TM308"
    assert "t" in problem.tools


def test_a_function_called_tools_is_refused():
    assert only_problem("def tools():\n    return {}\n").error.code == "TM308"


def test_tools_that_are_a_constant_or_a_union():
    text = "A = {'a': {'description': 'x'}}\ntools = A | {'b': {'description': 'y'}}\n"
    assert set(read(text).data["tools"]) == {"a", "b"}


def test_merged_tools():
    text = "A = {'a': {'description': 'x'}}\ntools = {**A, 'b': {'description': 'y'}}\n"
    assert set(read(text).data["tools"]) == {"a", "b"}


def test_section_that_is_no_data():
    problem = only_problem("tools = [x for x in ()]\n")
    assert problem.error.code == "TM308"


def test_refused_file_says_which_tools_are_missing_and_shows_all_hits():
    problem = only_problem("import os\nimport sys\ntools = {'t': {'handler': run}}\n")
    assert problem.error.code == "TM306"
    assert problem.tools == ("t",)
    assert len(problem.error.details) >= 2
    assert problem.error.at.line == 6


def test_file_that_does_not_parse_is_tm001():
    problem = only_problem("tools = {\n")
    assert problem.error.code == "TM001"
    assert problem.tools == ()


def test_nothing_of_the_file_runs(tmp_path):
    target = tmp_path / "ran"
    read(f"tools = {{'t': {{'description': open({str(target)!r}, 'w')}}}}\n")
    assert not target.exists()


def test_places_are_those_of_the_keys():
    text = "tools = {\n    'ä': {'description': 'd', 'mapping': {'a': ['b', 'c']}},\n}\n"
    source = read(text)
    assert str(source.locate(("tools",))).endswith("x.py:6:1")
    assert str(source.locate(("tools", "ä"))).endswith("x.py:7:5")
    assert str(source.locate(("tools", "ä", "mapping"))).endswith("x.py:7:31")
    assert str(source.locate(("tools", "ä", "mapping", "a"))).endswith("x.py:7:43")
    assert str(source.locate(("tools", "ä", "mapping", "a", 1))).endswith("x.py:7:54")
    assert str(source.locate(("tools", "ä", "mapping", "a", 7))).endswith("x.py:7:43")


def test_places_in_constants_and_unions():
    text = "A = {'x': 1}\nT = {\n  'description': 'd',\n  **A,\n}\ntools = {'t': T} | {'u': A}\n"
    source = read(text)
    assert str(source.locate(("tools", "t"))).endswith("x.py:11:10")
    assert str(source.locate(("tools", "t", "description"))).endswith("x.py:8:3")
    assert str(source.locate(("tools", "t", "x"))).endswith("x.py:6:6")
    assert str(source.locate(("tools", "u", "x"))).endswith("x.py:6:6")


def test_bom_is_accepted():
    source = read_python(b"\xef\xbb\xbftools = {}\n", "tenants/acme/x.py", depth=0)
    assert source.data == {"tools": {}}
