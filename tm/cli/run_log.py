"""What `tm log` does with its options; the commands themselves are in `log`."""

import json
import sys
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tm.cli.call import Call
from tm.errors import UsageError
from tm.store.rows import DEFAULT_LIMIT, Filters, Row
from tm.store.times import utc_now

_SAME = (
    "tool", "entry_type", "assistant", "chat", "failed", "dry_run", "search",
)  # fmt: skip
# Programs that split a text into lines do so at these too.
_BREAKS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def list_with_options(options: Mapping[str, Any]) -> int:
    """List the newest runs, and return the exit code.

    Args:
        options: by the parameter names of `tm.cli.log.log`.

    Raises:
        UsageError: a time that can't be read, an unknown tenant, an unreadable log.
    """
    call = Call(root=options["root"], tenant=options["tenant"], color=str(options["color"]))
    rows = call.log_reader.entries(read_filters(call, options))
    if options["as_json"]:
        call.print_json({"entries": [row.to_json() for row in rows]})
    else:
        from tm.render.log_table import row_lines  # people only

        call.print_lines(row_lines(rows, call.width))
    return 0


def read_filters(call: Call, options: Mapping[str, Any]) -> Filters:
    """Return the filters that the options of a command say; what it does not have is not set.

    Raises:
        UsageError: a time that can't be read, an unknown tenant.
    """
    same: dict[str, Any] = {name: options[name] for name in _SAME if name in options}
    return Filters(
        tenant=call.only_tenant(),
        since=_moment(options, "since"),
        until=_moment(options, "until", is_end=True),
        slower_than_ms=options.get("slower_than"),
        limit=int(options.get("limit") or DEFAULT_LIMIT),
        **same,
    )


def _moment(options: Mapping[str, Any], name: str, *, is_end: bool = False) -> datetime | None:
    if not options.get(name):
        return None
    from tm.cli.moments import read_moment  # most lists ask for no time

    return read_moment(options[name], f"--{name}", utc_now(), is_end=is_end)


def one_row(call: Call, number: int) -> Row:
    """Return a run with all that is known of it.

    Raises:
        UsageError: the chosen tenant has no such run.
    """
    own = call.only_tenant()
    row = call.log_reader.show(number, tenant=own)
    if row is None:
        where = f" of tenant '{own}'" if own else ""
        raise UsageError(
            f"there is no run {number}{where} in the log", code="TM500", hint="tm log lists them"
        )
    return row


def json_line(row: Row) -> str:
    """Return a run as one line of JSON, whatever line breaks its texts hold."""
    text = json.dumps(row.to_json(), ensure_ascii=False, separators=(", ", ": "))
    return text.translate(_BREAKS)


def export(call: Call, options: Mapping[str, Any]) -> None:
    """Write the runs as JSON Lines on stdout, oldest first.

    Raises:
        UsageError: as `list_with_options`.
    """
    is_limited = options["limit"] is not None
    for row in call.log_reader.export(read_filters(call, options), is_limited=is_limited):
        sys.stdout.write(json_line(row) + "\n")


def show_statistics(call: Call, options: Mapping[str, Any]) -> None:
    """Show runs, failures and durations of each tool.

    Raises:
        UsageError: as `list_with_options`.
    """
    found = call.log_reader.statistics(read_filters(call, options))
    if options["as_json"]:
        call.print_json({"tools": [tool.to_json() for tool in found]})
        return
    from tm.render.log_table import statistics_lines  # people only

    call.print_lines(statistics_lines(found))


def prune(call: Call, older_than: str, *, as_json: bool) -> None:
    """Delete the tenant's runs that are older than a span.

    Raises:
        UsageError: another form than `30d`, or no tenant is chosen.
    """
    from tm.cli.moments import read_span  # lists do without

    before = utc_now() - read_span(older_than, "--older-than")
    tenant = call.one_tenant()
    deleted = call.log_reader.delete_before(tenant, before)
    if as_json:
        call.print_json({"tenant": tenant, "deleted": deleted})
    else:
        from tm.render.lines import line  # people only

        call.print_lines([line(f"deleted {deleted} run{'' if deleted == 1 else 's'} of {tenant}")])
