"""What a tenant function can reach: `ctx`, a plain dict of facades that speak to one `Host`.

The facades hold closures and nothing else, and only JSON data crosses to the host. So the host
may be this process or a worker's parent, and a function finds no client, key or socket behind
what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, Protocol, cast

from tm.errors import ToolError
from tm.model import Json
from tm.records import record
from tm.runner.answer_headers import AnswerHeaders
from tm.runner.ctx_type import Ctx
from tm.runner.events import Level
from tm.runner.guard import disarmed
from tm.runner.results import deep_copy_json, to_json

LEVELS: tuple[Level, ...] = ("debug", "info", "success", "warning", "error")
_VERBS = ("get", "head", "post", "put", "patch", "delete")


@record
class HttpRequest:
    """A request of `ctx["http"]`, as plain data.

    Attributes:
        url: a path below the tool's api, or the full URL of a declared api.
        params: added to the URL's query.
        json: sent as JSON, where it is not None.
        data: a mapping is sent as a form, a text as it is; None: nothing.
    """

    method: str
    url: str
    params: Json = None
    json: Json = None
    data: Json = None
    headers: Json = None


@record
class HttpAnswer:
    """What came back, as plain data.

    Attributes:
        headers: with lower-case names.
        url: that answered, masked.
    """

    status: int
    headers: Mapping[str, str]
    content: bytes
    text: str
    read_json: Callable[[], Json]
    url: str = ""


class Host(Protocol):
    """The other side of the facades: everything that a tenant function can cause."""

    def log(self, level: Level, message: str, context: Mapping[str, Any]) -> None:
        """Write a line into the run's log."""
        ...

    def request(self, request: HttpRequest) -> HttpAnswer:
        """Send a request, with the limits, log and dry run of the request step."""
        ...

    def call_tool(self, name: str, args: Json) -> Json:
        """Run another tool of the tenant and return its result, or raise ToolError."""
        ...

    def config(self) -> dict[str, Any]:
        """Return a fresh copy of the tenant's merged config, secrets masked."""
        ...


class _Facade:
    """A fixed set of callables; nothing can be added or replaced."""

    __slots__ = ("__dict__",)

    def __init__(self, kind: str, members: Mapping[str, Any]) -> None:
        self.__dict__.update(members, __doc__=kind)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"ctx objects are read-only: {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"ctx objects are read-only: {name!r} cannot be deleted")

    def __getattr__(self, name: str) -> NoReturn:
        known = ", ".join(key for key in self.__dict__ if not key.startswith("_"))
        raise AttributeError(f"no {name!r} here; there is {known}")

    def __repr__(self) -> str:
        return f"<{self.__dict__['__doc__']}>"


class ConfigView(Mapping[str, Any]):
    """The tenant's merged config, read-only, loaded when it is first looked at.

    Loading everything a tenant declares would make each run pay for what few functions read.
    What loads it is a function with its own variables, which a copy takes over as it is: a bound
    method would be copied together with the host behind it, object by object, before the eyes of
    whoever hands in the memo.
    """

    __slots__ = ("_snapshot",)
    _snapshot: Callable[[], dict[str, Any]]

    def __init__(self, load: Callable[[], dict[str, Any]]) -> None:
        loaded: list[dict[str, Any]] = []

        def snapshot() -> dict[str, Any]:
            if not loaded:
                with disarmed():
                    loaded.append(load())
            return loaded[0]

        object.__setattr__(self, "_snapshot", snapshot)

    def __setattr__(self, name: str, _value: Any) -> NoReturn:
        """Refuse: the view is read-only."""
        raise AttributeError(f"ctx['config'] is read-only: {name!r} cannot be set")

    def __copy__(self) -> dict[str, Any]:
        """Return the data as a plain dict."""
        return dict(self.snapshot())

    def __deepcopy__(self, memo: object) -> Json:
        """Return the data as a plain dict that shares nothing with this view."""
        return deep_copy_json(self.snapshot())

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        """Refuse: what is pickled leaves the run."""
        raise TypeError("ctx['config'] can't be pickled; dict(ctx['config']) gives its data")

    def snapshot(self) -> dict[str, Any]:
        """Return the data as a plain dict of this view's own."""
        data: dict[str, Any] = self._snapshot()
        return data

    def __getitem__(self, key: str) -> Any:
        """Return a top-level key's merged value."""
        return self.snapshot()[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the top-level keys."""
        return iter(self.snapshot())

    def __len__(self) -> int:
        """Return the number of top-level keys."""
        return len(self.snapshot())


@record
class CtxFacts:
    """The plain data of a ctx.

    Attributes:
        session: the chat's session; the function may change it.
        api_config: the tool's api with secrets masked; None without one.
    """

    tenant: str
    chat_id: str | None
    user_id: str | None
    session: dict[str, Any]
    api_config: Mapping[str, Any] | None
    files_path: str


def build_ctx(host: Host, facts: CtxFacts, *, may_call: bool) -> Ctx:
    """Return a fresh ctx for one call of one function.

    Args:
        may_call: whether the function may call APIs and tools; false for postprocess.
    """
    ctx: dict[str, Any] = {
        "tenant": facts.tenant,
        "chat_id": facts.chat_id,
        "user_id": facts.user_id,
        "session": facts.session,
        "config": ConfigView(host.config),
        "api_config": to_json(facts.api_config),
        "logger": _logger(host),
        "files_path": facts.files_path,
    }
    if may_call:
        ctx["http"] = _http(host)
        ctx["tool"] = _tool(host)
    return cast("Ctx", ctx)


def plain(value: Any, what: str = "the result") -> Json:
    """Return a value of a tenant function as JSON data; a config view counts as its data.

    Args:
        what: the value is, in words, for the error.

    Raises:
        ToolError: TM512 where the value is no JSON.
    """
    if type(value) is ConfigView:
        return value.snapshot()
    if type(value) is dict and any(type(item) is ConfigView for item in value.values()):
        value = {k: v.snapshot() if type(v) is ConfigView else v for k, v in value.items()}
    return to_json(value, what=what)


def _logger(host: Host) -> _Facade:
    def writer(level: Level) -> Callable[..., None]:
        def write(message: Any, context: Any = None) -> None:
            text = _text(message)
            data = _log_context(context)
            with disarmed():
                host.log(level, text, data)

        return write

    return _Facade("ctx logger", {level: writer(level) for level in LEVELS})


def _text(value: Any) -> str:
    """Return a value as plain text, while the guard still holds.

    A text's class may be the tenant's: its methods would run where tm works for the function.
    """
    text = value if isinstance(value, str) else str(value)
    return text if type(text) is str else str.__str__(text)


def _log_context(context: Any) -> dict[str, Any]:
    """Return a log line's context; what is no JSON is described, since a log line never fails."""
    if context is None:
        return {}
    try:
        data = plain(context, "this")
    except ToolError as problem:
        return {**_json_part(context), "not_json": problem.message}
    return data if type(data) is dict else {"value": data}


def _json_part(context: Any) -> dict[str, Any]:
    """Return the keys of a log line's context whose values are JSON."""
    kept: dict[str, Any] = {}
    for key, value in context.items() if type(context) is dict else ():
        try:
            kept |= plain({key: value})
        except ToolError:
            continue
    return kept


def _tool(host: Host) -> Callable[..., Json]:
    def tool(name: Any, args: Any = None) -> Json:
        if type(name) is not str:
            raise ToolError("ctx['tool'] takes the tool's name as text", code="TM502")
        data = {} if args is None else plain(args, f"what '{name:.64}' is called with")
        with disarmed():
            return host.call_tool(name, data)

    return tool


def _http(host: Host) -> _Facade:
    def request(
        method: Any,
        url: Any,
        params: Any = None,
        json: Any = None,
        *,
        data: Any = None,
        headers: Any = None,
    ) -> _Facade:
        line = _text(method).upper(), _text(url)
        values = [
            plain(value, "what ctx['http'] is to send") for value in (params, json, data, headers)
        ]
        with disarmed():
            return _answer(host.request(HttpRequest(*line, *values)))

    def verb(method: str) -> Callable[..., _Facade]:
        def send(url: Any, **options: Any) -> _Facade:
            return request(method, url, **options)

        return send

    return _Facade("ctx http", {"request": request, **{name: verb(name) for name in _VERBS}})


def _answer(answer: HttpAnswer) -> _Facade:
    def read_json() -> Json:
        with disarmed():
            return answer.read_json()

    def close() -> None:
        """Do nothing: the answer is whole already. Code written for other clients calls it."""

    return _Facade(
        f"answer {answer.status}",
        {
            "status": answer.status,
            "status_code": answer.status,
            "headers": AnswerHeaders(answer.headers),
            "text": answer.text,
            "content": answer.content,
            "json": read_json,
            "read": lambda: answer.content,
            "close": close,
        },
    )
