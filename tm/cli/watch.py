"""`--watch`: run, and run again what a saved file touches, until Ctrl-C."""

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tm.cli.call import RunCall
from tm.cli.lean_imports import leave_out_unused_imports
from tm.cli.run_arguments import Wanted
from tm.errors import TmError, UsageError
from tm.records import replace
from tm.render.failure import error_lines
from tm.render.lines import Span, line

_SETTLE_MS = 30
"""How long after a save more saves are waited for: an editor writes, renames and touches."""
_LONGEST_MS = 120
_CLEAR = "\x1b[2J\x1b[H"


def watch_tools(call: RunCall, names: Sequence[str], wanted: Wanted) -> int:
    """Run the tools, and those that a change touches whenever files change; ends by Ctrl-C.

    Raises:
        UsageError: `watchfiles` is not installed, or what is named does not exist.
    """
    saves = _saves(call.root_folder)
    next(saves)  # watches from now on, so that no save is missed during the first run
    leave_out_unused_imports()  # of which watchfiles has imported what it needs
    _run(call, names, wanted, None)
    _say_waiting(call)
    for changed in saves:
        try:
            _run(call, names, wanted, changed)
        except TmError as error:  # a file is broken, or half saved: the next save may mend it
            call.screen.show(error_lines(error))
            _say_waiting(call)
    return 0


def _saves(root: Path) -> Iterator[set[str]]:
    """Yield nothing once, and then the files of each save, relative to the root.

    Raises:
        UsageError: `watchfiles` is not installed.
    """
    try:
        from watchfiles import watch
    except ImportError as error:
        raise UsageError(
            "--watch needs the package watchfiles",
            code="TM500",
            hint="pip install 'tm[watch]'",
        ) from error
    changes = watch(
        root / "tenants",
        step=_SETTLE_MS,
        debounce=_LONGEST_MS,
        rust_timeout=200,
        yield_on_timeout=True,
        raise_interrupt=True,
    )
    for found in changes:
        yield {Path(path).relative_to(root).as_posix() for _, path in found}


def _run(call: RunCall, names: Sequence[str], wanted: Wanted, changed: set[str] | None) -> None:
    """Run what the names mean, and of that what a save touches; None: all."""
    from tm.cli.run_named import is_several
    from tm.cli.run_one import run_one
    from tm.cli.run_several import choose_checks, run_checks
    from tm.runner.suite.touched import touched_by

    once = replace(wanted, watch=False)
    checks = choose_checks(call, names, once)
    if changed is not None:
        checks = touched_by(call.catalog, checks, changed)
        if not checks:
            return
        _begin_again(call, changed)
    if is_several(names) or wanted.is_chosen:
        run_checks(call, checks, once)
    else:
        run_one(call, names, once)
    if changed is not None:
        _say_waiting(call)


def _begin_again(call: RunCall, changed: set[str]) -> None:
    if sys.stdout.isatty():
        sys.stdout.write(_CLEAR)
        sys.stdout.flush()
    first, *others = sorted(changed)
    more = f" and {len(others)} more" if others else ""
    call.screen.show([line(Span(f"{time.strftime('%H:%M:%S')}  {first}{more} saved", "bold"))])


def _say_waiting(call: RunCall) -> None:
    sys.stdout.flush()
    call.screen.show([line(Span("waiting for a save; Ctrl-C ends", "dim"))])
