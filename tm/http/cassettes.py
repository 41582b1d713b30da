"""Cassettes: record every exchange of a run, and answer from the record without a connection.

What lives here: matching, masking, the transport. What must not: the text form (`cassette_file`).
The layer lies outside auth and retries, so a cassette sees no secret and one entry an exchange.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from tm.confine import machine_reason, read_bytes, write_atomic
from tm.errors import SecurityError, TmError, ToolError, UsageError
from tm.http.cassette_file import DamagedError, Interaction, dump, kept_headers, load, pretty
from tm.http.decoding import is_json
from tm.http.display import ENCODED_MASK
from tm.http.likeness import difference, is_alike, is_same, likeness, told_apart
from tm.http.messages import Answer, Call, Transport
from tm.redact import MASK, Redactor

MAX_BYTES: Final = 100_000_000
_BELOW_TENANT: Final = 3  # cassettes/<tool>/<case>.yaml
_MOST_BESIDE: Final = 20


class Cassette:
    """The exchanges of one tool's case. Safe to share between threads.

    Attributes:
        path: of its file: `<tenant folder>/cassettes/<tool>/<case>.yaml`.
        interactions: in recorded order.
        advice: what to do about a request that is not recorded; None: the command to record it.
    """

    __slots__ = ("_advice", "_lock", "_played", "interactions", "path")

    def __init__(
        self,
        path: Path,
        interactions: Iterable[Interaction] = (),
        advice: Callable[[], str] | None = None,
    ) -> None:
        self.path = path
        self._advice = advice
        self.interactions = list(interactions)
        self._played: set[int] = set()
        self._lock = Lock()

    @classmethod
    def new(cls, path: Path) -> Cassette:
        """Return an empty cassette to record on; the file stays as it is until `save`."""
        return cls(path)

    @classmethod
    def load(cls, path: Path, advice: Callable[[], str] | None = None) -> Cassette:
        """Return the recorded cassette; an empty one where there is no file.

        Raises:
            ToolError: TM513 for a damaged file, naming the place in it.
            SecurityError: TM518 where a link leads to it.
        """
        if not os.path.lexists(path):
            return cls(path, advice=advice)
        folder, relative = _split(path)
        data = read_bytes(folder, relative, limit=MAX_BYTES)
        try:
            return cls(path, load(data), advice)
        except DamagedError as error:
            raise ToolError(
                f"cassette {relative} is damaged: {error}",
                code="TM513",
                hint=f"record it again: {_command(path)}",
            ) from error

    def save(self) -> None:
        """Write what was recorded, atomically. Without any exchange the old file stays.

        Raises:
            SecurityError: where the path leads through a link.
            UsageError: TM500, it can't be written there.
        """
        with self._lock:
            recorded = list(self.interactions)
        if recorded:
            folder, relative = _split(self.path)
            try:
                write_atomic(folder, relative, dump(recorded).encode())
            except SecurityError as error:
                if (why := machine_reason(error)) is None:
                    raise
                message = f"{_shown(self.path)} can't be written: {why}"
                raise UsageError(message, code="TM500") from error

    def add(self, interaction: Interaction) -> None:
        """Append an exchange."""
        with self._lock:
            self.interactions.append(interaction)

    def take(self, method: str, uri: str, sent: str | None) -> Interaction | None:
        """Return the first exchange of this request that was not yet given, or None."""
        with self._lock:
            for is_match in (is_same, is_alike):
                for number, entry in enumerate(self.interactions):
                    if number not in self._played and is_match(entry, method, uri, sent):
                        self._played.add(number)
                        return entry
        return None

    def missing(self, method: str, uri: str, sent: str | None) -> ToolError:
        """Return the error for a request that is not recorded, with the nearest one that is."""
        hint = self._advice() if self._advice else f"record it: {_command(self.path)}"
        what = f"is not recorded in {_shown(self.path)}"
        same = sum(is_same(entry, method, uri, sent) for entry in self.interactions)
        if same:
            times = "once" if same == 1 else f"{same} times"
            message = f"{method} {uri} {what} as often as it is sent: only {times}"
            return ToolError(message, code="TM513", hint=hint)
        what += "" if self.interactions else ", which is not there or holds nothing"
        known = [(entry, "") for entry in self.interactions] or list(self._beside())
        if not known:
            return ToolError(f"{method} {uri} {what}", code="TM513", hint=hint)
        near, where = max(known, key=lambda pair: likeness(pair[0], method, uri, sent))
        unlike = difference(near, method, uri, sent)
        now, then = told_apart(uri, near.uri)
        message = f"{method} {now} {what}; the nearest{where} is {near.method} {then}{unlike}"
        return ToolError(message, code="TM513", hint=hint)

    def _beside(self) -> Iterator[tuple[Interaction, str]]:
        """Yield what other cassettes of the tool hold, each with the words for its file."""
        for path in sorted(self.path.parent.glob("*.yaml"))[:_MOST_BESIDE]:
            with suppress(TmError):  # one that is damaged is told when it is replayed itself
                for entry in Cassette.load(path).interactions:
                    yield entry, f", in {path.name},"


def _shown(path: Path) -> str:
    """Return the path from the root, where it lies in a tenant's folder."""
    folder, relative = _split(path)
    return f"tenants/{folder.name}/{relative}" if folder.parent.name == "tenants" else relative


def _split(path: Path) -> tuple[Path, str]:
    """Return the tenant's folder and the cassette's path in it."""
    parts = path.parts[-_BELOW_TENANT:]
    return path.parents[len(parts) - 1], "/".join(parts)


def _command(path: Path) -> str:
    tool, case = path.parent.name, path.stem
    if case == "default":
        return f"tm test-tool {tool} --record"
    if case.startswith("args-"):
        return f"tm test-tool {tool} --args '...' --record, with these arguments"
    return f"tm test-tool {tool} --case {case} --record"


class Taped:
    """Answers from a cassette, or records what the next layer answers."""

    __slots__ = ("_cassette", "_inner", "_redactor")

    def __init__(
        self,
        inner: Transport | None,
        cassette: Cassette,
        redactor: Redactor,
    ) -> None:
        """Wrap a transport.

        Args:
            inner: where a recorded run sends; None in a replay, which opens no connection.
            cassette: to play or to record on.
            redactor: masks what is recorded and what is compared.
        """
        self._inner = inner
        self._cassette = cassette
        self._redactor = redactor

    def send(self, call: Call) -> Answer:
        """Return the recorded answer, or the live one after recording it.

        Raises:
            ToolError: TM513 where a replay has no such exchange.
        """
        uri = self._masked(call, call.url).replace(ENCODED_MASK, MASK)
        sent = self._sent(call)
        if self._inner is None:
            found = self._cassette.take(call.method, uri, sent)
            if found is None:
                raise self._cassette.missing(call.method, uri, sent)
            return _filled(call, found)
        answer = self._inner.send(call)
        self._cassette.add(self._interaction(call, uri, sent, answer))
        return answer

    def _masked(self, call: Call, text: str) -> str:
        return self._redactor.text(call.base.declare(text))

    def _sent(self, call: Call) -> str | None:
        payload = call.payload
        if payload is None:
            return None
        text = payload.content.decode("utf-8", "backslashreplace")
        if payload.fields:  # the boundary is made of values that are masked
            text = text.replace(payload.content_type.partition("boundary=")[2], "boundary")
        return self._masked(call, text).replace(ENCODED_MASK, MASK)

    def _interaction(self, call: Call, uri: str, sent: str | None, answer: Answer) -> Interaction:
        kept = kept_headers(answer.headers)
        headers = {name: self._masked(call, text) for name, text in kept.items()}
        kind = headers.get("content-type", "")
        # Latin-1 maps bytes to characters one to one, so a secret in any bytes is found.
        text = answer.content.decode("latin-1")
        content = answer.content
        masked = self._masked(call, text)
        if masked != text:
            content = masked.encode("latin-1")
        sent_type = call.payload.content_type if call.payload else ""
        shown = pretty(sent.encode(), sent_type).decode() if sent and is_json(sent_type) else sent
        return Interaction(
            call.method, uri, shown, answer.status, headers, pretty(content, kind), sent_type
        )


def _filled(call: Call, found: Interaction) -> Answer:
    base = call.base
    if not base.declared:
        return Answer(found.status, dict(found.headers), found.content)
    headers = {name: base.fill(text) for name, text in found.headers.items()}
    content = found.content
    if base.declared.encode() in content:
        content = content.replace(base.declared.encode(), base.live.encode())
    return Answer(found.status, headers, content)
