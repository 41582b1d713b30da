"""`tm log rerun` and `tm log to-fixture`: a run of the log once more, or as a case."""

import json
import re

from tm.cli.call import Call, RunCall
from tm.cli.run_arguments import Wanted
from tm.cli.run_log import one_row
from tm.errors import UsageError
from tm.runner.logged import args_again, fixture_of

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def rerun(call: Call, number: int, *, as_json: bool, traceback: bool) -> int:
    """Run the same tool with the same arguments for the same tenant; return the exit code.

    Raises:
        TmError: no such run, its arguments were masked, or nothing could be run.
    """
    from tm.cli.run_named import run_named  # a fixture needs no run

    row = one_row(call, number)
    wanted = Wanted(
        args=json.dumps(args_again(row)),
        dry_run=row.dry_run,
        chat=row.chat_id,
        user=row.user_id,
        as_json=as_json,
        traceback=traceback,
    )
    again = RunCall(root=call.root, tenant=row.tenant, color=call.color)
    return run_named(again, [row.tool_name], wanted)


def to_fixture(call: Call, number: int, name: str | None) -> tuple[str, str]:
    """Add a run as a named case to its tool's file; return the case's name and the file.

    Raises:
        TmError: no such run, a name that is taken, or a file that can't be changed.
    """
    from tm.config.edit.fixtures import add_fixture  # a rerun writes no file

    row = one_row(call, number)
    tool = call.catalog.find_tool(row.tenant, row.tool_name)
    known = {"default", *(fixture.name for fixture in tool.fixtures)}
    chosen = f"run-{row.id}" if name is None else name
    if not _NAME.fullmatch(chosen):
        raise UsageError(
            f"--name {chosen!r} does not fit: letters, digits, '-', '_' and '.', 64 at most",
            code="TM500",
        )
    if chosen in known:
        raise UsageError(
            f"tool '{tool.name}' has a case '{chosen}' already",
            code="TM500",
            hint="give another one with --name",
        )
    return chosen, add_fixture(call.root_folder, tool, fixture_of(row, chosen))
