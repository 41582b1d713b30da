"""Constants that never get done while a file is loaded, and the ordinary ones beside them."""

import pytest

from tm.scan import scan_source

ITER = "from itertools import accumulate, chain, count, cycle, islice, repeat\n"
REFUSED = [
    "X = 10 ** (10 ** 5 + 1)", "X = 10 ** (10 ** 6 - 1)", "X = 10 ** (1000 * 1000)",
    "X = 10 ** (1 << 40)", "X = [0] * (10 ** 4 * 10 ** 5)",
    "X = 10 ** 10 ** 9", "X = 10 ** 100_000", "N = 10 ** 6\nX = 7 ** N", "X = pow(10, 10 ** 6)",
    "X = 1 << 10 ** 9", "X = 'x' * 10 ** 9", "X = 10 ** 9 * [0]", "X = (1, 2) * (1 << 40)",
    "import math\nX = math.factorial(10 ** 7)", "X = bytes(10 ** 10)", "X = -(2) ** 99_999",
    ITER + "X = sum(1 for i in count())", ITER + "X = list(count())",
    ITER + "X = [i for i in count()]", ITER + "X = {i for i in cycle('ab')}",
    ITER + "X = {i: 1 for i in repeat(1)}", ITER + "X = ''.join(repeat('a'))",
    ITER + "C = count()\nX = max(C)", ITER + "X = list(enumerate(count()))",
    ITER + "X = list(map(str, count()))", ITER + "X = list(zip(count(), count()))",
    ITER + "X = list(chain([1], count()))", "X = list(iter(int, 1))",
    "X = [i for i in range(10 ** 9)]", "X = sum(range(10 ** 12))", "X = list(range(0, 10 ** 9, 2))",
    "X = sum(i for i in range(10 ** 9))", "R = range(10 ** 9)\nX = sorted(R)",
    ITER + "X = list(repeat(1, 10 ** 9))", "X = list(map(str, range(10 ** 9)))",
    "class A:\n    x = 10 ** 10 ** 9", "def f(x=10 ** 10 ** 9): return x",
    "import itertools as it\nX = list(it.count())",
]  # fmt: skip
FINE = [
    "X = 2 ** (7 // 2)", "X = 2 ** (1 << 2) ** -1", "X = 2 ** (3 - 1 + 2)", "X = list(f'{1}')",
    "X = 10 ** 9", "X = 2 ** 64 - 1", "X = 1 << 40", "X = '-' * 80", "X = [0] * 256",
    "X = 1.5 ** 2", "X = 2 ** -1",
    "X = 0 ** 10 ** 9", "N = 3\nN = 4\nX = 10 ** N", "X = pow(2, 10)",
    "X = [i for i in range(1000)]", "X = range(10 ** 12)", "X = sum(range(10, 0, -1))",
    ITER + "X = list(islice(count(), 5))", ITER + "C = count(1)\nX = next(C)",
    ITER + "X = list(zip(count(), 'ab'))", ITER + "X = [a for a in zip('ab', cycle([1, 2]))]",
    ITER + "X = list(repeat(1, 3))", ITER + "X = dict(zip('ab', repeat(0)))",
    "def f(n):\n    return 10 ** n, [i for i in range(10 ** 9)], 'x' * 10 ** 9",
    "F = lambda: 10 ** 10 ** 9", "def count(): return [1]\ndef f(): return list(count())",
    "X = len('abc')", "X = bytes(16)", "X = 7 % 3 * 'a'", "X = list(filter(None, [1, 0]))",
    "X = 6 // 2", "X = 3 * 4 * 5 - 1", "X = not 1",
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_constant_that_does_not_get_done_is_refused(source):
    assert "TM308" in {hit.code for hit in scan_source(source.encode(), "a.py").hits}


@pytest.mark.parametrize("source", FINE)
def test_ordinary_constant_is_fine(source):
    assert scan_source(source.encode(), "a.py").hits == ()
