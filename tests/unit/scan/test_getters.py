"""`attrgetter` and `methodcaller`: names that are written out."""

import pytest

from tests.tenant_functions import Workshop, handler
from tm.scan import scan_source

TOP = "import operator\nfrom operator import attrgetter, methodcaller as call\n"
REFUSED = [
    "attrgetter('__class__')", "attrgetter('a.__globals__')", "attrgetter('a', 'gi_frame')",
    "attrgetter(x)", "attrgetter(*x)", "attrgetter()", "list(map(attrgetter, x))", "[attrgetter]",
    "call('format', 1)", "call('__init__')", "call(x)", "call(x + 'a')", "operator.attrgetter(x)",
    "operator.methodcaller('register', int)", "attrgetter(1)", "(attrgetter, x)[0]('__class__')",
]  # fmt: skip
FINE = [
    "sorted(x, key=attrgetter('price'))", "attrgetter('a.b', 'c')(x)",
    "list(map(call('upper'), x))",
    "call('replace', 'a', x)", "operator.attrgetter('price')", "operator.itemgetter('a', x)",
]  # fmt: skip


@pytest.mark.parametrize("expression", REFUSED)
def test_getter_of_a_hidden_or_delicate_name_is_refused(expression):
    source = f"{TOP}def f(x): return {expression}\n"
    assert "TM307" in {hit.code for hit in scan_source(source.encode(), "a.py").hits}


@pytest.mark.parametrize("expression", FINE)
def test_getter_of_a_plain_name_is_fine(expression):
    assert scan_source(f"{TOP}def f(x): return {expression}\n".encode(), "a.py").hits == ()


def test_getters_work_at_run_time(tmp_path):
    top = TOP + "class P:\n    def __init__(self, n): self.n = n\n"
    body = (
        "rows = [P(2), P(1)]\nrows = sorted(rows, key=attrgetter('n'))\n"
        "return [r.n for r in rows], list(map(call('upper'), ['a']))"
    )
    assert Workshop(tmp_path).run(handler(body, top)) == [[1, 2], ["A"]]
