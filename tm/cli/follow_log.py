"""`tm log tail`: shows runs as they end."""

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from tm.cli.call import Call
from tm.cli.run_log import json_line, read_filters
from tm.cli.streams import has_reader
from tm.store.rows import Row

PAUSE_S = 0.3
"""Between two looks; a look takes a millisecond or two."""


def follow(
    call: Call, options: Mapping[str, Any], pause: Callable[[float], None] = time.sleep
) -> None:
    """Show the newest runs, then each that ends, until Ctrl-C or until nobody reads any more.

    Args:
        options: by the parameter names of the command.
        pause: called between two looks.

    Raises:
        UsageError: as `tm log`.
        KeyboardInterrupt: Ctrl-C.
    """
    follower = call.log_reader.follower(read_filters(call, options))
    rows = follower.begin()
    while True:
        _show(call, rows, as_json=options["as_json"])
        if not has_reader(sys.stdout):
            return
        pause(PAUSE_S)
        rows = follower.next()


def _show(call: Call, rows: list[Row], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write("".join(f"{json_line(row)}\n" for row in rows))
    elif rows:
        from tm.render.log_table import tail_lines  # people only

        call.print_lines(tail_lines(rows, call.width))
    sys.stdout.flush()
