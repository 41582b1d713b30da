"""A model behind a server: one request, its tries, and the answer in either form.

The only module here that imports httpx. What must not live here: what an answer means.
"""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import httpx

from tm.chat.completion import Completion, read_completion
from tm.chat.deltas import Deltas
from tm.chat.failures import ServerError, cut_stream, not_json, refusal, shown
from tm.chat.provider import Provider
from tm.errors import ChatError
from tm.http.retries import LONGEST_RETRY_AFTER_S, retry_after_s

_TRIES_AGAIN: Final = 3
_FIRST_WAIT_S: Final = 0.5
_MAX_BYTES: Final = 50_000_000


class ModelServer:
    """Asks a provider over HTTP.

    Args:
        provider: whom.
        told: one line before each wait for another try.
        sleep: waits so many seconds.
        wall: seconds since 1970, for `Retry-After` dates.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        told: Callable[[str], None],
        sleep: Callable[[float], None] = time.sleep,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._provider = provider
        self._told = told
        self._sleep = sleep
        self._wall = wall
        self._counts = provider.stream
        limits = provider.timeouts
        # A plain http server needs no certificates, whose loading takes 30 ms.
        self._client = httpx.Client(
            verify=_tls() if provider.url.startswith("https") else False,
            timeout=httpx.Timeout(limits.read_s, connect=limits.connect_s),
            trust_env=False,
        )

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def complete(self, request: Mapping[str, Any], on_text: Callable[[str], None]) -> Completion:
        """Return the answer; 429, 5xx and what broke before it was shown are tried again.

        Raises:
            ServerError: TM519.
        """
        tries = 0
        while True:
            try:
                return self._exchange(self._content(request), on_text)
            except ServerError as error:
                if self._counts and _refuses_counts(error):
                    self._counts = False
                    continue
                tries += 1
                wait_s = self._wait(error, tries)
                if wait_s is None:
                    raise
                self._told(f"{error.message}; again in {wait_s:.2g} s")
                self._sleep(wait_s)

    def _content(self, request: Mapping[str, Any]) -> bytes:
        body = dict(request)
        if self._provider.stream:
            body["stream"] = True
            if self._counts:
                body["stream_options"] = {"include_usage": True}
        return json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")

    def _wait(self, error: ServerError, tries: int) -> float | None:
        """Return the seconds before the next try; None: there is none."""
        # What broke without a status may have cost tokens already: one more try is enough.
        most = _TRIES_AGAIN if error.status is not None else 1
        if not error.may_retry or tries > most:
            return None
        asked_s = retry_after_s(error.retry_after, self._wall())
        if asked_s is not None and asked_s > LONGEST_RETRY_AFTER_S:
            return None
        return max(asked_s or 0.0, 0.0) or _FIRST_WAIT_S * 2.0 ** (tries - 1)

    def _exchange(self, content: bytes, on_text: Callable[[str], None]) -> Completion:
        shown_text = _Watched(on_text)
        try:
            with self._client.stream(
                "POST", self._provider.url, content=content, headers=dict(self._provider.headers)
            ) as response:
                return _read(response, shown_text)
        except httpx.HTTPError as error:
            raise _broken(error, self._provider, after_text=shown_text.is_used) from error
        except httpx.InvalidURL as error:
            raise ChatError(
                f"base_url of provider '{self._provider.name}': {error}", code="TM519"
            ) from error


def _refuses_counts(error: ServerError) -> bool:
    """Tell whether a server knows no `stream_options`; it is then asked without token counts."""
    return error.status in {400, 422} and "stream_options" in error.words


class _Watched:
    """Passes text on, and knows whether there was any."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self.is_used = False

    def __call__(self, text: str) -> None:
        self.is_used = True
        self._on_text(text)


def _read(response: httpx.Response, on_text: _Watched) -> Completion:
    kind = response.headers.get("content-type", "")
    if response.status_code >= 300:
        text = "".join(_limited(response))
        error = refusal(response.status_code, _json(text), text)
        error.retry_after = response.headers.get("retry-after", "")
        raise error
    if "text/event-stream" in kind:
        return _read_stream(_Events(response.headers, _limited(response)), on_text)
    text = "".join(_limited(response))
    if text.lstrip().startswith(("data:", "event:", ": ")):
        return _read_stream(_Events({"content-type": "text/event-stream"}, iter([text])), on_text)
    body = _json(text)
    if body is None:
        raise not_json(kind, text)
    completion = read_completion(body)
    if completion.text:
        on_text(completion.text)
    return completion


class _Events:
    """A response as httpx-sse reads it; a last event without an empty line behind it counts."""

    def __init__(self, headers: Mapping[str, str], texts: Iterator[str]) -> None:
        self.headers = headers
        self._texts = texts

    def iter_text(self) -> Iterator[str]:
        """Yield the text, and an end of the last event."""
        yield from self._texts
        yield "\n\n"


def _read_stream(events: _Events, on_text: _Watched) -> Completion:
    deltas = Deltas()
    for data in _data(events):
        if data == "[DONE]":
            return deltas.completion()
        chunk = _json(data)
        if chunk is None:
            raise ServerError(
                f"the model's server sent a chunk that can't be read: {shown(data)}",
                may_retry=not on_text.is_used,
            )
        if added := deltas.feed(chunk):
            on_text(added)
    if not deltas.is_finished:
        raise cut_stream(after_text=on_text.is_used)
    return deltas.completion()


def _data(events: _Events) -> Iterator[str]:
    """Yield what the events hold; comments that a gateway put into data are passed over."""
    try:
        from httpx_sse import EventSource  # noqa: PLC0415  an extra, and only for streams
    except ImportError as error:
        raise ChatError(
            "streaming needs the package httpx-sse",
            code="TM519",
            hint="pip install 'tm[chat]', or set `stream: false` at the provider",
        ) from error
    source: Any = events  # it reads headers and iter_text only
    for event in EventSource(source).iter_sse():
        data = event.data.strip()
        if data and not data.startswith(":"):
            yield data


def _limited(response: httpx.Response) -> Iterator[str]:
    """Yield the body's text.

    Raises:
        ServerError: it is larger than any answer can be.
    """
    size = 0
    for text in response.iter_text():
        size += len(text)
        if size > _MAX_BYTES:
            raise ServerError(f"the model's server sent more than {_MAX_BYTES:,} characters")
        yield text


def _json(text: str) -> Any:
    """Return the JSON of a text; None where it is none."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _broken(error: httpx.HTTPError, provider: Provider, *, after_text: bool) -> ServerError:
    host = httpx.URL(provider.url).netloc.decode("ascii", "replace").rpartition("@")[2]
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        hint = f"is it running? base_url stands under settings.providers.{provider.name}"
        return ServerError(f"no connection to the model's server at {host}: {error}", hint=hint)
    if isinstance(error, httpx.TimeoutException):
        return ServerError(
            f"the model's server at {host} sent nothing for {provider.timeouts.read_s:g} s",
            hint="raise `timeout` of the provider if the model needs longer",
        )
    if after_text:
        return cut_stream(after_text=True)
    what = f"the model's server at {host} broke off: the connection ended before the answer did"
    return ServerError(what, may_retry=True)


def _tls() -> ssl.SSLContext:
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()  # what this machine's administrator added
    return context
