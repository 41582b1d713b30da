"""The JUnit report of many runs: one test case for each, in a file that is whole at any moment.

The report is on disk from the beginning, as one of a run that was stopped, and is brought up to
date while the run goes on: one that is killed leaves a report that says so.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from errno import EISDIR
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from tm.errors import TmError, UsageError
from tm.render.lines import plain
from tm.render.log_line import log_lines
from tm.render.xml import attribute, escaped
from tm.runner.suite.outcomes import Outcome, Tally

_REFRESH_S: Final = 1.0
_SHARE: Final = 0.05
"""Of the time, what bringing the file up to date may take."""
_LOG_LINES: Final = 100
_CHUNK: Final = 1 << 16


class JUnitFile:
    """One report.

    Args:
        path: where it is written.
        tally: of the run; counts the outcomes that are added here.
        clock: seconds that never go back.
    """

    def __init__(
        self, path: Path, tally: Tally, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._tally = tally
        self._clock = clock
        self._began = clock()
        self._cases: IO[bytes] = TemporaryFile()  # noqa: SIM115  closed by `finish`
        self._next = 0.0

    def begin(self) -> None:
        """Write the report of a run that did not get anywhere.

        Raises:
            UsageError: the file can't be written.
        """
        try:
            if self._path.is_dir():
                raise IsADirectoryError(EISDIR, "it is a folder")
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._write("the run was killed before its first result")
        except OSError as error:
            self._cases.close()
            raise UsageError(
                f"--junit: {str(self._path)!r} can't be written: {error.strerror or error}",
                code="TM500",
                hint="name a file in a folder that you may write to",
            ) from error

    def add(self, outcome: Outcome) -> None:
        """Add one outcome, and now and then bring the file up to date."""
        self._cases.write(_case(outcome).encode())
        now = self._clock()
        if now < self._next:
            return
        with suppress(OSError):  # the last write tells it
            self._write("the run was killed; what had ended until shortly before is here")
        self._next = self._clock() + max(_REFRESH_S, (self._clock() - now) / _SHARE)

    def finish(self, stopped: str | None = None) -> None:
        """Write the whole report.

        Args:
            stopped: why the run ended early; None: it did not.

        Raises:
            UsageError: the file can't be written.
        """
        try:
            self._write(stopped)
        except OSError as error:
            why = error.strerror or str(error)
            raise UsageError(
                f"--junit: the report can't be written: {why}", code="TM500"
            ) from error
        finally:
            self._cases.close()

    def _write(self, stopped: str | None) -> None:
        if _is_special(self._path):
            if stopped is None:
                with self._path.open("wb") as file:
                    self._write_to(file, stopped)
            return
        new = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            with new.open("wb") as file:
                self._write_to(file, stopped)
            new.replace(self._path)
        finally:
            new.unlink(missing_ok=True)

    def _write_to(self, file: IO[bytes], stopped: str | None) -> None:
        tally, extra = self._tally, int(stopped is not None)
        took = self._clock() - self._began
        numbers = (
            f'tests="{tally.total + extra}" failures="{tally.failed}" errors="{extra}" '
            f'skipped="{tally.skipped}" time="{took:.3f}"'
        )
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites name="tm test-tool" {numbers}>\n'
            f'  <testsuite name="tm test-tool" {numbers}>\n'
        )
        file.write(head.encode())
        self._cases.seek(0)
        while chunk := self._cases.read(_CHUNK):
            file.write(chunk)
        if stopped is not None:
            why = f'<error type="stopped" message="{attribute(stopped)}"/>'
            file.write(f'    <testcase classname="tm" name="the run" time="0">{why}'.encode())
            file.write(b"</testcase>\n")
        file.write(b"  </testsuite>\n</testsuites>\n")


def _is_special(path: Path) -> bool:
    """Say whether a path is a device or pipe, which can't be replaced."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _case(outcome: Outcome) -> str:
    check, report = outcome.check, outcome.report
    name = f"{check.tool} [{check.case}]" if check.case else check.tool
    place = f'classname="{attribute(check.tenant)}" name="{attribute(name)}"'
    if check.at is not None:
        line = f' line="{check.at.line}"' if check.at.line else ""
        place += f' file="{attribute(check.at.path)}"{line}'
    took = report.duration_ms / 1000 if report else 0
    inner = _inner(outcome)
    end = f">\n{inner}    </testcase>" if inner else "/>"
    return f'    <testcase {place} time="{took:.3f}"{end}\n'


def _inner(outcome: Outcome) -> str:
    if outcome.check.skipped is not None:
        return f'      <skipped message="{attribute(outcome.check.skipped)}"/>\n'
    error = outcome.error
    if error is None or outcome.ok:
        return ""
    text = (
        f'      <failure type="{attribute(error.code)}" message="{attribute(str(error))}">'
        f"{escaped(_words(error))}</failure>\n"
    )
    if outcome.report is None or not outcome.report.log:
        return text
    lines = [plain(row) for line in outcome.report.log[-_LOG_LINES:] for row in log_lines(line)]
    return text + f"      <system-err>{escaped(chr(10).join(lines))}</system-err>\n"


def _words(error: TmError) -> str:
    rows = [f"{error.code} {error}"]
    rows += [f"  {detail.path}: {detail.message}" for detail in error.details]
    rows += [f"hint: {error.hint}"] if error.hint else []
    return "\n".join(rows)
