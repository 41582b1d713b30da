"""What the terminal costs: log lines and coloured JSON, against the plainest ways to write them."""

import io
import json
import logging
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.measure import report
from tm.render.live import LiveLog
from tm.render.result import json_text
from tm.render.screen import PlainScreen, Screen
from tm.render.terminal import RichScreen
from tm.runner.events import LogLine

_LINES = 500
_LINE = LogLine("2026-05-04T12:30:00.123Z", "info", "getInvoice", 0, "invoice R-1 read", {})


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Say yes."""
        return True


def measure_terminal(_: Path) -> None:
    """Log lines against logging.StreamHandler, a megabyte of JSON against json.dumps."""
    handler = logging.StreamHandler(Terminal())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(name)s  %(message)s"))
    record = logging.LogRecord("getInvoice", 20, "f.py", 1, "invoice R-1 read", None, None)
    plain, piped, coloured = _medians(
        lambda: _repeated(lambda: handler.emit(record)),
        lambda: _repeated(_shown_on(PlainScreen(io.StringIO()))),
        lambda: _repeated(_shown_on(RichScreen(Terminal()))),
    )
    report("500 log lines, piped", piped, plain, 3, "logging.StreamHandler")
    report("500 log lines, on a terminal", coloured, plain, 3, "logging.StreamHandler")

    invoice = {
        "id": "R-1",
        "total": 119.0,
        "paid": True,
        "customer": {"name": "Adler", "vat": None},
    }
    data = [invoice] * 11_000
    floor, shown = _medians(
        lambda: Terminal().write(json.dumps(data, indent=2, ensure_ascii=False)),
        lambda: Terminal().write(json_text(data, colour=True)),
    )
    report("a megabyte of JSON, coloured", shown, floor, 12, "json.dumps and write")


def _shown_on(screen: Screen) -> Callable[[], None]:
    live = LiveLog(screen, least="info", curl=False)
    return lambda: live(_LINE)


def _repeated(call: Callable[[], object]) -> None:
    for _ in range(_LINES):
        call()


def _medians(*calls: Callable[[], object], rounds: int = 9) -> list[float]:
    times: list[list[float]] = [[] for _ in calls]
    for round_number in range(rounds + 1):
        for taken, call in zip(times, calls, strict=True):
            began = time.thread_time()
            call()
            if round_number:
                taken.append(time.thread_time() - began)
    return [statistics.median(taken) for taken in times]
