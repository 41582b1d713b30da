"""Which tools the words of `tm test-tool` name: one, or several."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tm.cli.call import RunCall
from tm.cli.lean_imports import leave_out_unused_imports
from tm.cli.run_arguments import Wanted, chosen_mode
from tm.errors import UsageError
from tm.render.lines import line

_PASSED = (
    "args", "case", "dry_run", "chat", "user", "session", "curl", "isolate", "quiet", "verbose",
    "as_json", "traceback", "jobs", "shard", "since", "last_failed", "fail_fast", "watch", "junit",
    "update",
)  # fmt: skip


def run_with_options(options: Mapping[str, Any]) -> int:
    """Run the tools that the options name, and return the exit code.

    Args:
        options: by the parameter names of `tm.cli.run_tool.run_test_tool`.

    Raises:
        TmError: nothing could be run.
    """
    implies_all = not options["names"] and (options["last_failed"] or options["since"] is not None)
    names = tool_names(options["names"], every=options["every"] or implies_all)
    check_suite_options(options)
    mode = chosen_mode(**{name: options[name] for name in ("record", "replay", "live")})
    call = RunCall(root=options["root"], tenant=options["tenant"], color=str(options["color"]))
    passed = {name: options[name] for name in _PASSED}
    return run_named(call, names, Wanted(arg=tuple(options["arg"] or ()), mode=mode, **passed))


def check_suite_options(options: Mapping[str, Any]) -> None:
    """Refuse what can't be meant.

    Raises:
        UsageError: TM500.
    """
    jobs = options["jobs"]
    if jobs is not None and not 1 <= jobs <= MAX_JOBS:
        raise UsageError(
            f"--jobs {jobs}: from 1 to {MAX_JOBS} runs can go side by side", code="TM500"
        )
    if options["update"] and (options["dry_run"] or options["args"] or options["arg"]):
        raise UsageError(
            "--update writes the real result of a named case: it takes no --dry-run, --args or "
            "--arg",
            code="TM500",
            hint="name the case with --case, or run all of a tool's cases with its name as a glob",
        )
    if options["watch"] and options["as_json"]:
        raise UsageError(
            "--watch runs again and again, and --json is one document",
            code="TM500",
            hint="leave one of them out",
        )


def tool_names(names: Sequence[str] | None, *, every: bool) -> list[str]:
    """Return the names and globs to run; `--all` is the glob that fits all.

    Raises:
        UsageError: neither names nor --all, or both.
    """
    if every and names:
        raise UsageError(
            "--all runs every tool: names beside it mean nothing",
            code="TM500",
            hint="give names, or --all",
        )
    if not every and not names:
        raise UsageError(
            "no tool is named",
            code="TM500",
            hint="give its name (tm list shows them), a glob such as 'get*', or --all",
        )
    argument = next((name for name in names or () if "=" in name), None)
    if argument is not None:
        raise UsageError(
            f"'{argument}' is no tool's name",
            code="TM500",
            hint=f"arguments stand behind --arg: tm test-tool NAME --arg {argument}",
        )
    return ["*"] if every else list(names or ())


MAX_JOBS: Final = 256


def is_several(names: Sequence[str]) -> bool:
    """Tell whether the names mean several tools: more than one, or a glob."""
    return len(names) > 1 or not set("*?[").isdisjoint(names[0])


def run_named(call: RunCall, names: Sequence[str], wanted: Wanted) -> int:
    """Run the tools and return the exit code.

    Raises:
        TmError: nothing could be run.
    """
    if wanted.watch:
        from tm.cli.watch import watch_tools  # other runs need none of it

        return watch_tools(call, names, wanted)
    leave_out_unused_imports()
    try:
        return _run_once(call, names, wanted)
    except KeyboardInterrupt:
        call.screen.show([line("stopped by Ctrl-C; tm log shows how far it came")])
        raise


def _run_once(call: RunCall, names: Sequence[str], wanted: Wanted) -> int:
    if is_several(names) or wanted.is_chosen:
        from tm.cli.run_several import run_several  # one tool needs none of it

        return run_several(call, names, wanted)
    from tm.cli.run_one import run_one  # several tools need none of it

    return run_one(call, names, wanted)
