"""What a run of several tools shows and writes as it goes on: lines, bar, documents, report."""

import sys
import time

from tm.cli.call import RunCall
from tm.cli.run_arguments import Wanted
from tm.cli.show_failure import show_failure
from tm.render.colour import wants_colour
from tm.render.failure import error_lines
from tm.render.junit import JUnitFile
from tm.render.lines import Line
from tm.render.live import LiveLog
from tm.render.results_document import ResultsDocument
from tm.render.suite import outcome_annotation, outcome_line, slowest_lines, summary_line
from tm.runner.events import Event, Level
from tm.runner.suite.outcomes import Outcome, Tally

_FEW = 20
"""So many runs are listed one by one on a terminal, which otherwise has the bar."""


class SuiteOutput:
    """Takes outcomes in order.

    Attributes:
        tally: of what was shown.
    """

    def __init__(self, call: RunCall, wanted: Wanted, total: int) -> None:
        self.tally = Tally()
        self._call = call
        self._wanted = wanted
        self._total = total
        self._live = LiveLog(call.screen, least=_least_level(wanted), curl=wanted.curl)
        self._junit = JUnitFile(wanted.junit, self.tally) if wanted.junit else None
        colour = wants_colour(call.color, sys.stdout, call.environ)
        self._document = ResultsDocument(colour=colour) if wanted.as_json else None
        is_terminal = wants_colour(call.color, sys.stderr, call.environ) and sys.stderr.isatty()
        self._bar = None
        if is_terminal and not wanted.quiet and total > 1:
            from tm.render.progress import ProgressBar

            self._bar = ProgressBar(sys.stderr, total)

    def begin(self) -> None:
        """Write the report of a run that got nowhere yet.

        Raises:
            UsageError: it can't be written.
        """
        if self._junit:
            self._junit.begin()

    def show(self, outcome: Outcome) -> None:
        """Count an outcome, and show it where it is to be seen."""
        self.tally.add(outcome)
        if self._junit:
            self._junit.add(outcome)
        if self._document:
            self._document.add(outcome.to_json())
        has_events = self._show_events(outcome)
        if has_events or self._is_listed(outcome):
            self._print([outcome_line(outcome)])
        if outcome.ok is False:
            self._show_failure(outcome)
        if self._bar:
            self._bar.update(self.tally)

    def _is_listed(self, outcome: Outcome) -> bool:
        if self._wanted.as_json:
            return False
        if outcome.ok is False:
            return True
        is_seen_elsewhere = self._bar is not None and self._total > _FEW
        return not self._wanted.quiet and (not is_seen_elsewhere or self._wanted.verbose)

    def _show_events(self, outcome: Outcome) -> bool:
        """Show the log lines and requests of one run, together; say whether its line follows."""
        report = outcome.report
        if report is None:
            return False
        events: list[Event] = [*report.log, *report.http]
        shown = [event for event in events if self._live.is_shown(event)]
        if shown and self._bar:
            self._bar.hide()
        for event in shown:
            self._live(event)
        return bool(shown) and not (self._wanted.as_json or self._wanted.quiet)

    def _show_failure(self, outcome: Outcome) -> None:
        if self._bar:
            self._bar.hide()
        if outcome.report is not None:
            show_failure(self._call, outcome.report, self._wanted)
        elif outcome.check.error is not None:
            self._call.screen.show(error_lines(outcome.check.error))
        if self._call.environ.get("GITHUB_ACTIONS") == "true":
            sys.stderr.write(outcome_annotation(outcome, "") + "\n")

    def _print(self, lines: list[Line]) -> None:
        if self._bar:
            self._bar.hide()
        self._call.print_lines(lines)
        sys.stdout.flush()

    def end(self, began: float, *, stopped: str | None = None) -> None:
        """Sum up.

        Args:
            began: on the monotonic clock.
            stopped: why the run ended early; None: it did not.

        Raises:
            UsageError: the report can't be written.
        """
        self.tally.duration_ms = round((time.monotonic() - began) * 1000, 3)
        self.tally.left_out = self._total - self.tally.total
        if self._bar:
            self._bar.hide()
        if self._document and stopped is None:
            self._document.write(sys.stdout, ok=self.tally.ok, summary=self.tally.to_json())
        elif self._document:
            self._document.close()
        else:
            if not self._wanted.quiet:
                self._call.screen.show(slowest_lines(self.tally))
            self._print([summary_line(self.tally)])
        if self._junit:
            self._junit.finish(stopped)


def _least_level(wanted: Wanted) -> Level:
    if wanted.verbose:
        return "debug"
    return "error" if wanted.quiet else "warning"
