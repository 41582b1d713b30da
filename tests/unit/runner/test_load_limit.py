"""Files whose loading does not end: stopped in this process, reported, and nothing else held up."""

import pytest

from tests.tenant_functions import Workshop, handler, parse_only
from tm.errors import SecurityError
from tm.runner.load_limit import LoadTimeoutError, loading_within
from tm.runner.workspace import Workspace

HEAD = "from itertools import count\nfrom time import sleep\n"
ENDLESS = {
    "decorator": "def deco(f):\n    while True: pass\n@deco\ndef g(): pass\n",
    "loop": "while True: pass\n",
    "for": "for i in count(): pass\n",
    "generator": "X = sum(1 for i in count())\n",
    "comprehension": "X = [i for i in count() if i < 0]\n",
    "swallowing": "def d(f):\n    while True:\n        try: f = g\n        except Exception: pass\n"
    "@d\ndef g(): pass\n",
    "class body": "class A:\n    while True: pass\n",
    "recursion": "def f(n):\n    for i in range(9): f(n - 1) if n else None\nX = f(99)\n",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_code_at_the_top_of_a_file_ends(tmp_path, name):
    shop = Workshop(tmp_path, parse_only)
    shop.write("acme/a.py", handler("return 1", HEAD + ENDLESS[name]))
    with pytest.raises(LoadTimeoutError), loading_within(0.02):
        shop.load()


def test_a_helper_file_counts_and_the_loader_is_free_afterwards(tmp_path):
    shop = Workshop(tmp_path, parse_only)
    shop.write("acme/b.py", HEAD + ENDLESS["loop"])
    shop.write("acme/a.py", handler("return 1", "from .b import X"))
    with pytest.raises(LoadTimeoutError), loading_within(0.02):
        shop.load()
    assert shop.run(handler("return 2")) == 2


def test_sleep_at_the_top_is_refused_and_in_a_function_fine(tmp_path):
    shop = Workshop(tmp_path, parse_only)
    with pytest.raises(SecurityError, match="sleep while its file is loaded"):
        shop.run(handler("return 1", HEAD + "sleep(99)\n"))
    assert shop.run(handler("sleep(0)\nreturn 1", HEAD)) == 1


TOOL = """
def calculate(results, args, ctx):
    return 1

tools = {"x": {"description": "Waits for ever while it loads.", "handler": calculate,
    "parameters": {"type": "object", "properties": {}}, "args_fixture": {}, "max_seconds": 0.05}}
"""


def test_run_whose_file_does_not_load_is_a_failed_run_with_a_row(tmp_path):
    folder = tmp_path / "tenants" / "acme"
    folder.mkdir(parents=True)
    deco = ENDLESS["decorator"].replace("def g(): pass\n", "")
    (folder / "a.py").write_text(deco + TOOL.lstrip(), encoding="utf-8")
    workspace = Workspace(tmp_path, environ={})
    report = workspace.run_tool("acme", "x")
    workspace.close()
    assert (report.ok, report.error.code) == (False, "TM505")
    assert "took longer to load" in report.error.message
    assert (report.error.at.path, report.error.at.line) == ("tenants/acme/a.py", 2)
    assert report.log_id
