"""What one function does to its thread is over when it ends."""

import contextlib
import decimal
import subprocess
import sys

import pytest

from tests.tenant_functions import Workshop, handler, parse_only
from tm.errors import TmError

TOP = "from decimal import Decimal, getcontext\n"
CHANGES = {
    "precision": "getcontext().prec = 2",
    "by an alias": "c = [g() for g in [getcontext]][0]\nc.prec = 2",
    "by partial": "import functools\nfunctools.partial(getcontext)().prec = 2",
    "traps": "getcontext().traps.clear()",
    "flags": "Decimal(1) / 3",
    "left open": "from decimal import localcontext\nlocalcontext().__enter__().prec = 2",
    "failing": "getcontext().prec = 2\nraise ValueError",
}


@pytest.mark.parametrize("name", CHANGES)
def test_decimal_context_does_not_carry_over(tmp_path, name):
    shop = Workshop(tmp_path, parse_only)
    before = str(decimal.getcontext())
    with contextlib.suppress(TmError):  # a refusal is as good
        shop.run(handler(CHANGES[name] + "\nreturn 1", TOP))
    assert str(decimal.getcontext()) == before
    body = (
        "flags = [k for k, v in getcontext().flags.items() if v]\nreturn flags, str(Decimal(1) / 3)"
    )
    assert shop.run(handler(body, TOP)) == [[], "0." + "3" * 28]


def test_context_of_an_embedding_program_is_neither_seen_nor_changed(tmp_path):
    with decimal.localcontext() as own:
        own.prec = 5
        result = Workshop(tmp_path).run(handler("return str(Decimal(1) / 3)", TOP))
        assert str(decimal.Decimal(1) / 3) == "0.33333"
    assert result == "0." + "3" * 28


def test_function_that_loads_decimal_itself_leaves_a_plain_context(tmp_path):
    body = "from decimal import getcontext\ngetcontext().prec = 2\nreturn 1"
    program = (
        "import sys; from pathlib import Path; from tests.tenant_functions import *\n"
        "sys.modules.pop('decimal', None)\n"
        f"Workshop(Path(sys.argv[1]), parse_only).run({handler(body)!r})\n"
        "import decimal; print(decimal.getcontext().prec)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "28\n"
