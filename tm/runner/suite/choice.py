"""Which of the planned checks are run: one shard of them, or those that failed last."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from zlib import crc32

from tm.errors import UsageError
from tm.records import record
from tm.runner.suite.outcomes import Check

_SHARD = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@record
class Shard:
    """One of several equal parts of all tools; `number` counts from 1."""

    number: int
    count: int

    def has(self, check: Check) -> bool:
        """Say whether a tool is in this part. Other tools, old or new, have no say in it."""
        name = f"{check.tenant}/{check.tool}".encode("utf-8", "surrogatepass")
        return crc32(name) % self.count == self.number - 1


def read_shard(text: str) -> Shard:
    """Return the part that `I/N` names.

    Raises:
        UsageError: TM500 for another form, or a number outside of 1 to N.
    """
    hit = _SHARD.fullmatch(text)
    shard = Shard(int(hit[1]), int(hit[2])) if hit else None
    if shard is None or not 1 <= shard.number <= shard.count:
        raise UsageError(
            f"--shard {text!r:.40} is no part of a whole",
            code="TM500",
            hint="write I/N with I from 1 to N: --shard 1/3, --shard 2/3 and --shard 3/3",
        )
    return shard


def in_shard(checks: Iterable[Check], shard: Shard | None) -> list[Check]:
    """Return the checks of a shard; all of them where there is none."""
    return [check for check in checks if shard is None or shard.has(check)]


def among(checks: Iterable[Check], keys: Collection[tuple[str, str, str]]) -> list[Check]:
    """Return the checks of these tenants, tools and cases."""
    return [check for check in checks if check.key in keys]
