"""Runs the calls of an answer, and writes what the model gets for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from threading import Thread
from typing import Any, Final

from tm.chat.calls import Call
from tm.chat.cutting import result_text, to_text
from tm.chat.events import CallBegan, CallEnded, ChatSink, Confirm
from tm.chat.repeats import Repeats, key_of
from tm.errors import TmError, ToolError, did_you_mean
from tm.model import WRITE_METHODS, Json, Tool
from tm.records import field, record, replace
from tm.runner.cases import choose_case
from tm.runner.events import Report
from tm.runner.scope import RunOptions
from tm.runner.workspace import Workspace

_PASSING: Final = frozenset({"TM501", "TM502", "TM505", "TM506"})
_SIDE_BY_SIDE: Final = 8
_DEEPEST: Final = 10
_CTX_KEY: Final = r"""ctx\s*\[\s*["']%s["']\s*\]"""
_HTTP_WRITE: Final = re.compile(_CTX_KEY % "http" + r"(?!\s*\.\s*get\b)")
_ANY_TOOL_CALL: Final = re.compile(_CTX_KEY % "tool")
_TOOL_CALL: Final = re.compile(_CTX_KEY % "tool" + r"""\s*\(\s*["']([^"']+)["']""")
_WRITERS: Final = frozenset({"writeFile", "deleteFile", "writeTenantConfig", "deleteTenantConfig"})


@record
class Answered:
    """A call with what became of it.

    Attributes:
        tool: the name in the tenant; as the model called it, where there is no such tool.
        content: of the tool message: JSON text.
        report: None where nothing was run.
        error: why there is no result; None where there is one.
    """

    call: Call
    tool: str
    content: str
    report: Report | None = None
    error: TmError | None = None

    def to_message(self) -> dict[str, Any]:
        """Return the message that answers the call."""
        return {"role": "tool", "tool_call_id": self.call.id, "content": self.content}

    def to_json(self) -> dict[str, Any]:
        """Return the run as `--json` prints it."""
        report = self.report
        return {
            "tool": self.tool,
            "args": report.args if report else self.call.args,
            "ok": self.error is None,
            "result": report.result if report else None,
            "error": self.error.to_json() if self.error else None,
            "log_id": report.log_id if report else None,
        }


@record(frozen=False)
class ToolRuns:
    """The tools of one assistant, as a chat runs them.

    Attributes:
        tools: by the name under which the model sees them.
        options: of every run.
        session: of the chat; runs change it.
        longest: characters of a result that the model gets.
        confirm: None: nothing is asked.
    """

    workspace: Workspace
    tenant: str
    tools: Mapping[str, Tool]
    options: RunOptions
    session: dict[str, Any]
    sink: ChatSink
    longest: int
    confirm: Confirm | None = None
    repeats: Repeats = field(default_factory=Repeats)

    def answer_all(self, calls: Sequence[Call]) -> list[Answered]:
        """Answer every call of one answer, in order; what only reads runs side by side."""
        if self._is_independent(calls):
            return _side_by_side([partial(self.answer, call) for call in calls])
        return [self.answer(call) for call in calls]

    def _is_independent(self, calls: Sequence[Call]) -> bool:
        tools = [self.tools.get(call.name) for call in calls]
        only_read = all(tool and not may_write(tool) and not tool.handler for tool in tools)
        return only_read and len({key_of(call) for call in calls}) == len(calls) > 1

    def answer(self, call: Call) -> Answered:
        """Answer one call; a failure of whatever kind is an answer too."""
        if self.repeats.is_known(call):
            self.repeats.note_skipped(call)
            return self._refused(call, _repeated())
        try:
            answered = self._run(call)
        except TmError as error:
            answered = self._refused(call, error)
        self.repeats.note_result(call, answered.content)
        return answered

    def _run(self, call: Call) -> Answered:
        """Run a call.

        Raises:
            TmError: there is nothing that could be run, or the user said no.
        """
        tool = self.tools.get(call.name)
        if tool is None:
            raise self._unknown(call.name)
        if call.fault is not None or call.args is None:
            raise call.fault or ToolError("the arguments can't be read", code="TM501")
        if self.confirm and self._writes(tool) and not self.confirm(tool.name, call.args):
            raise ToolError("the user said no to this call; it was not run", code="TM517")
        report = self._report(tool, call.args)
        content = (
            result_text(report.result, self.longest)
            if report.error is None
            else failure_text(report.error, report)
        )
        answered = Answered(call, tool.name, content, report, report.error)
        self.sink(CallEnded(tool.name, report, report.error))
        return answered

    def _report(self, tool: Tool, args: Mapping[str, Any]) -> Report:
        before = deepcopy(self.session)
        options = replace(self.options, session=deepcopy(self.session))
        run = self.workspace.prepare(self.tenant, tool.name, options, self.sink)
        self.sink(CallBegan(tool.name, run.scope.redactor.json(dict(args))))
        report = self.workspace.run_case(run, choose_case(run.tool, args, None))
        take_changes(self.session, before, run.scope.session)
        return report

    def _writes(self, tool: Tool, depth: int = 0) -> bool:
        """Tell whether a tool, or what its functions call, may write; unsure counts as yes."""
        refs = [ref for ref in (tool.handler, tool.preprocess, tool.postprocess) if ref]
        if may_write(tool) or depth > _DEEPEST or not refs:
            return may_write(tool) or depth > _DEEPEST
        try:
            sources = {(self.workspace.root / ref.path).read_text("utf-8") for ref in refs}
            return any(self._source_writes(source, depth) for source in sources)
        except (OSError, ValueError, TmError):  # such as a tool that is not there
            return True

    def _source_writes(self, source: str, depth: int) -> bool:
        names = _TOOL_CALL.findall(source)
        if _HTTP_WRITE.search(source) or len(names) < len(_ANY_TOOL_CALL.findall(source)):
            return True
        return any(self._writes(self._named(name), depth + 1) for name in set(names))

    def _named(self, name: str) -> Tool:
        return self.workspace.catalog.find_tool(self.tenant, name, fresh=False)

    def _unknown(self, name: str) -> ToolError:
        names = sorted(self.tools)
        near = did_you_mean(name, names)
        listed = "" if near else f"; there are: {', '.join(names[:30])}"
        return ToolError(f"there is no tool {name!r:.80}{near}{listed}", code="TM502")

    def _refused(self, call: Call, error: TmError) -> Answered:
        tool = self.tools.get(call.name)
        self.sink(CallEnded(tool.name if tool else call.name, None, error))
        return Answered(call, tool.name if tool else call.name, failure_text(error), None, error)


def may_write(tool: Tool) -> bool:
    """Tell whether a tool's own request, or the shared tool itself, writes."""
    own = tool.api is not None and tool.method in WRITE_METHODS and not tool.read_only
    return own or tool.name in _WRITERS


def failure_text(error: TmError, report: Report | None = None) -> str:
    """Return the failure object that a model gets (SPEC 8)."""
    status = report.http[-1].status if report and report.http else None
    passing = error.code == "TM504" and (status in {408, 425, 429} or (status or 0) >= 500)
    return to_text(
        {
            "success": False,
            "code": error.code,
            "message": _with_paths(error),
            "retryable": passing or error.code in _PASSING,
        }
    )


def _with_paths(error: TmError) -> str:
    """Return the message with the path of each argument that is wrong."""
    if not error.details:
        return error.message
    head = error.message.split(": ", 1)[0]
    return f"{head}: {'; '.join(map(str, error.details))}"


def _repeated() -> ToolError:
    return ToolError(
        "the same call was made already and gave the same result each time; it was not run "
        "again. Use that result: answer now, or call with other arguments.",
        code="TM517",
    )


def take_changes(session: dict[str, Any], before: Mapping[str, Any], after: Json) -> None:
    """Put what a run changed in its copy of the session into the chat's own."""
    if not isinstance(after, dict):
        return
    for key in before.keys() - after.keys():
        session.pop(key, None)
    session.update(
        {key: value for key, value in after.items() if key not in before or before[key] != value}
    )


def _side_by_side(tasks: Sequence[Callable[[], Answered]]) -> list[Answered]:
    """Return the results of all tasks, in their order.

    Daemon threads: a Ctrl-C must not wait for what they read.
    """
    results: list[Answered | BaseException | None] = [None] * len(tasks)

    def work(number: int) -> None:
        try:
            results[number] = tasks[number]()
        except BaseException as error:  # noqa: BLE001  raised again in the waiting thread
            results[number] = error

    for first in range(0, len(tasks), _SIDE_BY_SIDE):
        numbers = range(first, min(first + _SIDE_BY_SIDE, len(tasks)))
        threads = [Thread(target=work, args=(number,), daemon=True) for number in numbers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    done = []
    for result in results:
        if isinstance(result, BaseException):
            raise result
        assert result is not None  # noqa: S101  each thread has set its own
        done.append(result)
    return done
