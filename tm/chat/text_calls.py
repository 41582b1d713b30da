"""Calls that a model writes into its text, as local models do (SPEC 8).

`<tool_call>{...}</tool_call>` is a call; a fenced or bare JSON object is one where its `name` is
a tool of the assistant and `arguments` or `parameters` stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from tm.chat.arguments import unfenced
from tm.chat.calls import Call, make_call
from tm.chat.completion import Completion
from tm.chat.lenient import UnreadableError, read_lenient, read_prefix
from tm.model import Json
from tm.records import record, replace

_TAG: Final = re.compile(r"<tool_call>(.*?)(</tool_call>|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"```[\w+-]*[ \t]*\n(.*?)(```|\Z)", re.DOTALL)
_LINE: Final = re.compile(r"^[ \t]*(?=[{\[])", re.MULTILINE)
_NAME: Final = re.compile(r"""["']name["']\s*:\s*["']([^"']+)["']""")
_REST_OF_LINE: Final = re.compile(r"[ \t]*(?=\n|\Z)")


@record
class _Found:
    """A stretch of text that is one or more calls."""

    start: int
    end: int
    calls: tuple[Call, ...]


def with_text_calls(completion: Completion, names: Collection[str]) -> Completion:
    """Return the completion with the calls of its text, if it has no proper ones.

    Args:
        completion: as the server gave it.
        names: under which the assistant's tools are known to the model.
    """
    if completion.calls or not names or not completion.text:
        return completion
    text, calls = completion.text, list[Call]()
    for find in (_tags, _fences, _bare):
        found = list(find(text, names, is_cut=completion.is_cut))
        calls += [call for stretch in found for call in stretch.calls]
        for stretch in reversed(found):
            text = text[: stretch.start] + text[stretch.end :]
        if calls:
            break
    return replace(completion, text=text.strip(), calls=calls) if calls else completion


def _tags(text: str, _names: Collection[str], *, is_cut: bool) -> Iterator[_Found]:
    for hit in _TAG.finditer(text):
        inner = unfenced(hit[1])
        try:
            calls = _calls_in(read_lenient(inner), None, is_cut=is_cut)
        except UnreadableError:
            calls = (_unreadable(inner, is_cut=is_cut),)
        yield _Found(hit.start(), hit.end(), calls)


def _unreadable(text: str, *, is_cut: bool) -> Call:
    """Return a call that is not run: the model is told what is wrong with it."""
    name = _NAME.search(text)
    return make_call(name[1] if name else "", text, is_cut=is_cut)


def _fences(text: str, names: Collection[str], *, is_cut: bool) -> Iterator[_Found]:
    for hit in _FENCE.finditer(text):
        try:
            calls = _calls_in(read_lenient(hit[1].strip()), names, is_cut=is_cut)
        except UnreadableError:
            continue
        if calls:
            yield _Found(hit.start(), hit.end(), calls)


def _bare(text: str, names: Collection[str], *, is_cut: bool) -> Iterator[_Found]:
    """Yield JSON that has its lines to itself; inside a sentence it is an example."""
    behind = 0
    for hit in _LINE.finditer(text):
        if hit.end() < behind:
            continue
        try:
            value, end = read_prefix(text, hit.end())
        except UnreadableError:
            continue
        calls = _calls_in(value, names, is_cut=is_cut)
        if calls and _REST_OF_LINE.match(text, end):
            behind = end
            yield _Found(hit.start(), end, calls)


def _calls_in(value: Json, names: Collection[str] | None, *, is_cut: bool) -> tuple[Call, ...]:
    """Return the calls of an object or a list of objects; none where one of them is no call.

    Args:
        value: as it was read.
        names: of the tools; None: whatever it names is meant as a call.
        is_cut: the answer was cut off, so that nothing of it is run.
    """
    entries = value if isinstance(value, list) else [value]
    calls = [_call_of(entry, names, is_cut=is_cut) for entry in entries]
    return tuple(call for call in calls if call) if calls and all(calls) else ()


def _call_of(entry: Json, names: Collection[str] | None, *, is_cut: bool) -> Call | None:
    if not isinstance(entry, dict):
        return None
    inner = entry.get("function")
    fields: dict[str, Any] = inner if isinstance(inner, dict) else entry
    key = next((key for key in ("arguments", "parameters") if key in fields), None)
    name = fields.get("name")
    if names is None:
        return make_call(name, fields.get(key or ""), is_cut=is_cut)
    if key is None or not isinstance(name, str):
        return None
    call = make_call(name, fields[key], is_cut=is_cut)
    return call if call.name in names else None


# A line that may still become JSON, a fence that may hold it, a tag, or the beginning of one.
_JSON_BEGINS: Final = r"""(?:\{\s*(?:["']|\Z)|\[\s*(?:\{|\Z))"""
_MAY_BEGIN: Final = re.compile(
    rf"(?:^|\n)[ \t]*{_JSON_BEGINS}"
    rf"|(?:^|\n)```[\w+-]*[ \t]*(?:\n\s*(?:{_JSON_BEGINS}|\Z)|\Z)"
    r"|<tool_call|<[tol_ca]{0,8}\Z|(?:^|\n)`{1,2}\Z"
)


class HeldText:
    """Holds back what may turn out to be a call, so that nobody sees one as an answer.

    Args:
        show: takes the text that is shown.
        is_active: False: everything is shown at once (the assistant has no tools).
    """

    def __init__(self, show: Any, *, is_active: bool) -> None:
        self._show = show
        self._is_active = is_active
        self._held = ""
        self.shown = ""

    def feed(self, text: str) -> None:
        """Take a piece of text."""
        self._held += text
        hit = _MAY_BEGIN.search(self._held) if self._is_active else None
        safe = len(self._held) if hit is None else hit.start()
        self._pass_on(self._held[:safe])
        self._held = self._held[safe:]

    def _pass_on(self, text: str) -> None:
        if text:
            self.shown += text
            self._show(text)

    def end(self, whole: str) -> None:
        """Show what is left of the text that the answer turned out to have."""
        if whole.startswith(self.shown):
            self._pass_on(whole[len(self.shown) :])
        elif not self.shown.startswith(whole):
            self._pass_on(self._held if self._held and self._held in whole else "")
        self._held = ""
