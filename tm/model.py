"""The typed, frozen model that the loader makes from the files and everything above reads.

What lives here: data. What must not: reading files, running anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from tm.errors import Location, TmError
from tm.records import field, record

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, list or dict with text keys. Any, because
recursive aliases make every access a cast; values are narrowed where they are used."""

BUILTIN: Final = "_builtin"
"""The home of the shared tools that tm itself has. There is no such folder."""

SHARED: Final = "_shared"
"""The folder of the tools that any tenant may use or extend. It is no tenant."""

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
WRITE_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})

BodyFormat: TypeAlias = Literal["json", "form", "multipart", "text"]
QueryArrays: TypeAlias = Literal["repeat", "comma", "brackets"]


class Absent:
    """The type of `ABSENT`: a field that is not there, where null is a value of its own."""

    def __repr__(self) -> str:
        """Return the name by which the constant is imported."""
        return "ABSENT"

    def __bool__(self) -> bool:
        """Absent is falsy."""
        return False


ABSENT: Final = Absent()


@record
class FunctionRef:
    """A Python function of a tenant, not loaded yet.

    Attributes:
        home: tenant code, or `_shared`: the folder that the file must stay inside.
        path: of the `.py` file, relative to the workspace root, with `/`.
        name: of the top-level `def`.
        at: where the tool names it.
    """

    home: str
    path: str
    name: str
    at: Location


@record
class Timeouts:
    """Limits of one HTTP exchange in seconds."""

    connect_s: float = 10.0
    read_s: float = 30.0


@record
class Pagination:
    """How pages are gathered (SPEC, section 3.2).

    Attributes:
        kind: the `type` key.
        items: mapping path of the list in a page's body; `@` is the body itself.
        param: query parameter of the page number, offset or cursor; None for `link`.
        start: first page number, for `page`.
        limit_param: query parameter of the page size, for `offset`; None: not sent.
        limit: page size, for `offset`; None: the length of the page that came.
        next: mapping path of the cursor or next URL; None for `link` means the Link header.
        max_pages: pages to fetch at most; more gives a warning line.
    """

    kind: Literal["page", "offset", "cursor", "link"]
    items: str = "@"
    param: str | None = None
    start: int = 1
    limit_param: str | None = None
    limit: int | None = None
    next: str | None = None
    max_pages: int = 10


@record
class Api:
    """A declared endpoint. Texts may still hold `${NAME}`: secrets are filled when sent.

    Attributes:
        home: tenant code, or `_shared`.
        at: of the api's name in its file.
        auth: the `auth` mapping as declared, or None.
        verify: path of a CA file relative to the api's file, else to the tenant's folder; None:
            the system's.
        declared: the whole mapping as declared, for `ctx["api_config"]` (to be masked).
    """

    name: str
    home: str
    at: Location
    base_url: str
    auth: Mapping[str, Any] | None = None
    headers: Mapping[str, Any] = field(default_factory=dict)
    timeouts: Timeouts = Timeouts()
    attempts: int = 3
    verify: str | None = None
    max_response_bytes: int = 10_000_000
    follow_redirects: bool = True
    pagination: Pagination | None = None
    query_arrays: QueryArrays = "repeat"
    declared: Mapping[str, Any] = field(default_factory=dict)


@record
class Fixture:
    """A named case of a tool.

    Attributes:
        expect: what the result must be; `ABSENT` where the case says nothing.
        status: HTTP status that the last request must have; None: any.
        error: code that the run must fail with; None: it must not fail.
        max_ms: longest duration in milliseconds; None: any.
    """

    name: str
    args: Mapping[str, Any]
    expect: Json | Absent = ABSENT
    status: int | None = None
    error: str | None = None
    max_ms: float | None = None


@record
class Field:
    """Where a field of a tool comes from, after `extends`.

    Attributes:
        home: tenant code, or `_shared`.
        at: of the field's key.
    """

    home: str
    at: Location


@record
class Tool:
    """A tool as it is after `extends`, ready to run.

    Attributes:
        tenant: the tenant it runs for.
        home: where its own file lies: the tenant's code, or `_shared`; `_builtin`: one of
            tm's own.
        at: of the tool's name in its own file.
        parameters: JSON Schema of the arguments; closed unless it says otherwise.
        args_fixture: default arguments of `tm test-tool`; None: none declared.
        response_fixture: the API's answer where a request is stubbed, or `ABSENT`.
        timeouts, attempts, max_response_bytes, follow_redirects, pagination: override the
            api's; None: the api's hold.
        max_seconds: for the whole run.
        fields: declared fields by name, each with its origin.
        declared: the fields' values as declared, after `extends`.
    """

    name: str
    tenant: str
    home: str
    at: Location
    description: str
    parameters: Mapping[str, Any]
    api: str | None = None
    method: str = "GET"
    path: str = ""
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    body_format: BodyFormat = "json"
    headers: Mapping[str, Any] | None = None
    mapping: Mapping[str, Any] | None = None
    preprocess: FunctionRef | None = None
    postprocess: FunctionRef | None = None
    handler: FunctionRef | None = None
    args_fixture: Mapping[str, Any] | None = None
    fixtures: Sequence[Fixture] = ()
    response_fixture: Json | Absent = ABSENT
    read_only: bool = False
    fail_when: str | None = None
    max_seconds: float = 120.0
    max_nested_calls: int = 10
    timeouts: Timeouts | None = None
    attempts: int | None = None
    max_response_bytes: int | None = None
    follow_redirects: bool | None = None
    pagination: Pagination | None = None
    fields: Mapping[str, Field] = field(default_factory=dict)
    declared: Mapping[str, Any] = field(default_factory=dict)


@record
class Assistant:
    """An assistant: which tools a model sees, and how it is asked."""

    name: str
    tenant: str
    at: Location
    tools: Sequence[str]
    declared: Mapping[str, Any] = field(default_factory=dict)


@record
class ScheduledTask:
    """A task that runs by cron expression."""

    name: str
    tenant: str
    at: Location
    declared: Mapping[str, Any] = field(default_factory=dict)


@record
class Problem:
    """Something that could not be loaded; the rest of the tenant is there all the same.

    Attributes:
        error: a ConfigError with its lint code and place.
        tools: names of the tools that are missing because of it.
    """

    error: TmError
    tools: Sequence[str] = ()


@record
class Tenant:
    """Everything that one tenant's files declare.

    Attributes:
        code: folder name below `tenants/`.
        folder: absolute path.
        tools: by name: the tenant's own; shared ones that it does not hide are in `shared`.
        builtin: tm's own that neither hides.
        problems: what could not be loaded.
    """

    code: str
    folder: Path
    tools: Mapping[str, Tool] = field(default_factory=dict)
    shared: Mapping[str, Tool] = field(default_factory=dict)
    builtin: Mapping[str, Tool] = field(default_factory=dict)
    apis: Mapping[str, Api] = field(default_factory=dict)
    assistants: Mapping[str, Assistant] = field(default_factory=dict)
    scheduled: Mapping[str, ScheduledTask] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
