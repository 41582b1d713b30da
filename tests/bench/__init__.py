"""Benchmarks: ratios to a floor or a peer, taken in the same run. Never part of the tests.

    python -m tests.bench                 all
    python -m tests.bench startup call    some

Each prints a line: what was measured, its ratio, the aim, and the CPU times behind it.
"""
