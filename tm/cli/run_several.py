"""Several tools, or globs: run them one after the other and sum up."""

from collections.abc import Sequence

from tm.cli.call import Call
from tm.cli.run_arguments import Wanted
from tm.errors import UsageError


def is_several(names: Sequence[str]) -> bool:
    """Tell whether the names mean several tools: more than one, or a glob."""
    return len(names) > 1 or any(set(name) & set("*?[") for name in names)


def run_several(call: Call, names: Sequence[str], wanted: Wanted) -> int:
    """Run."""
    raise UsageError("not yet")
