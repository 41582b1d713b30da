"""`tm doctor`: what is set up, and what is missing."""

import typer

from tm.cli.call import Call
from tm.cli.options import AsJson, Color, ColorWhen, Root, TenantCode, Traceback
from tm.errors import EXIT_FAILED, EXIT_OK
from tm.render.lines import Line, Span, line

app = typer.Typer(rich_markup_mode=None, add_completion=False)

EPILOG = """\b
Examples:
  tm doctor            the whole workspace
  tm doctor -t demo    one tenant
Exit codes: 0 nothing is missing, 1 something is. What is optional never counts."""

_STYLES = {"ok": "green", "optional": "yellow", "missing": "bold red"}


@app.command(epilog=EPILOG)
def doctor(
    *,
    root: Root = None,
    tenant: TenantCode = None,
    as_json: AsJson = False,
    color: ColorWhen = Color.AUTO,
    traceback: Traceback = False,  # the boundary reads it
) -> None:
    """Say what is set up and what is missing, each with the command that mends it.

    Nothing is changed and nothing leaves the machine.
    """
    from tm.cli.checkup import Check, run_checks

    def shown(check: Check) -> list[Line]:
        head = line(Span(f"{check.state:<9}", _STYLES[check.state]), f"{check.subject}: ")
        rows = [[*head, *line(check.message)]]
        return [*rows, line(" " * 11, Span(check.mend, "cyan"))] if check.mend else rows

    call = Call(root=root, tenant=tenant, color=color)
    checks = list(run_checks(call))
    ok = all(check.state != "missing" for check in checks)
    if as_json:
        call.print_json({"ok": ok, "checks": [check.to_json() for check in checks]})
    else:
        call.print_lines([row for check in checks for row in shown(check)])
    raise typer.Exit(EXIT_OK if ok else EXIT_FAILED)
