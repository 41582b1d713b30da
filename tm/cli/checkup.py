"""The checks of `tm doctor`: what is set up, what is missing, and the command that mends it.

What lives here: looking. What must not: mending, and anything that leaves the machine.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sized
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Any, Final, Literal, TypeAlias

from tm._version import __version__
from tm.cli.call import Call
from tm.errors import TmError, UsageError
from tm.model import Tenant
from tm.records import record

State: TypeAlias = Literal["ok", "optional", "missing"]

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_EXTRAS: Final = {
    "chat": ("httpx_sse", "tm chat"),
    "pdf": ("pypdfium2", "tm pdf, and PDFs in knowledge/"),
    "postgres": ("psycopg", "TM_DATABASE_URL"),
    "schedule": ("cronsim", "tm schedule"),
    "watch": ("watchfiles", "--watch"),
}
"""Extra -> the module that it brings, and what needs it."""


@record
class Check:
    """One thing that was looked at.

    Attributes:
        subject: what it is about: `root`, `tenant demo`, `extra pdf`.
        state: `missing` is to be mended, `optional` only where it is wanted.
        mend: a command that mends it; None where there is nothing to do or no command does it.
    """

    subject: str
    state: State
    message: str
    mend: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the check in the shape of `tm doctor --json`."""
        return {
            "subject": self.subject,
            "state": self.state,
            "message": self.message,
            "mend": self.mend,
        }


def run_checks(call: Call) -> Iterator[Check]:
    """Yield what was found, from the ground up: what fails first is to be mended first."""
    python = sys.version.split()[0]
    yield Check("tm", "ok", f"tm {__version__} on Python {python}")
    try:
        root = call.root_folder
    except UsageError as problem:
        yield Check("root", "missing", str(problem), "tm new tenant CODE")
    else:
        yield Check("root", "ok", "the folder that holds tenants/ is there")
        yield from _tenants(call)
        yield from _database(call, root)
        yield from _kept_out_of_git(root)
    yield _isolation()
    yield from _extras(call.environ)


def _tenants(call: Call) -> Iterator[Check]:
    codes = call.tenants()
    if not codes:
        yield Check("tenants", "missing", "there is no tenant yet", "tm new tenant CODE")
    for code in codes:
        tenant = call.catalog.tenant(code)
        yield _files(tenant)
        yield from _variables(call, tenant)


def _files(tenant: Tenant) -> Check:
    subject = f"tenant {tenant.code}"
    have = f"{_count(tenant.tools, 'tool')}, {_count(tenant.assistants, 'assistant')}"
    if not tenant.problems:
        return Check(subject, "ok", have)
    first = tenant.problems[0].error
    said = f"{have}; {len(tenant.problems)} can't be loaded, the first: {first} [{first.code}]"
    return Check(subject, "missing", said, f"tm lint -t {tenant.code}")


def _count(things: Sized, word: str) -> str:
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"


def _variables(call: Call, tenant: Tenant) -> Iterator[Check]:
    """Yield the variables that a tenant's config names; values are never shown."""
    secrets = call.catalog.secrets(tenant.code)
    # Replayed answers need no variables, so a tenant may do without them.
    state: State = "optional" if tenant.settings.get("http") == "replay" else "missing"
    for name, users in sorted(_named(tenant).items()):
        subject = f"variable {name}"
        used = f"{tenant.code}: {', '.join(sorted(users))}"
        if secrets.get(name):
            yield Check(subject, "ok", f"set, for {used}")
            continue
        mend = f"echo '{name}=...' >> tenants/{tenant.code}/.env"
        word = "empty" if secrets.get(name) == "" else "not set"
        is_model = all(user.startswith("provider ") for user in users)
        yield Check(subject, "optional" if is_model else state, f"{word}, for {used}", mend)


def _named(tenant: Tenant) -> dict[str, set[str]]:
    """Return variable to what names it: apis, providers, tools with constants."""
    found: dict[str, set[str]] = {}
    providers = tenant.settings.get("providers")
    declared = [(f"api {name}", api.declared) for name, api in tenant.apis.items()]
    if isinstance(providers, Mapping):
        declared += [(f"provider {name}", provider) for name, provider in providers.items()]
    for name, tool in tenant.tools.items():
        declared += [(f"tool {name}", {"query": tool.query, "body": tool.body, "h": tool.headers})]
    for user, value in declared:
        for variable in _texts_with_variables(value):
            found.setdefault(variable, set()).add(user)
    return found


def _texts_with_variables(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from _VARIABLE.findall(value)
        return
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    for part in inner:
        yield from _texts_with_variables(part)


def _database(call: Call, root: Path) -> Iterator[Check]:
    from tm.store.tables import open_tables  # where there is a root only

    url = call.environ.get("TM_DATABASE_URL")
    folder = root / ".tm"
    if not url and not os.access(folder if folder.exists() else root, os.W_OK):
        place = ".tm/" if folder.exists() else "the root, where .tm/ belongs,"
        chmod = f"chmod u+rwx {'.tm' if folder.exists() else '.'}"
        yield Check("database", "missing", f"{place} can't be written: runs are not kept", chmod)
        return
    if not url and not (root / ".tm" / "tm.sqlite3").exists():
        yield Check("database", "ok", "not there yet: the first run makes .tm/tm.sqlite3")
        return
    try:
        tables = open_tables(root, call.environ)
        try:
            ((count,),) = tables.execute("SELECT count(*) FROM task_log_entries")
        finally:
            tables.close()
    except TmError as problem:
        mend = "pip install 'tm[postgres]'" if url and find_spec("psycopg") is None else None
        yield Check("database", "missing", str(problem), mend)
    else:
        where = "PostgreSQL" if url else ".tm/tm.sqlite3"
        yield Check("database", "ok", f"{where} holds {count} run{'' if count == 1 else 's'}")


def _kept_out_of_git(root: Path) -> Iterator[Check]:
    """Yield what git would show to everybody: variables, and the log."""
    tracked = _git(root, "ls-files", "-z", "--", ".env", "tenants/*/.env", ".tm")
    if tracked is None:
        yield Check("git", "optional", "the workspace is in no git repository", "git init")
        return
    names = [name for name in tracked.split("\0") if name]
    if names:
        said = f"git keeps {', '.join(names[:3])}, which holds secrets or runs"
        yield Check("git", "missing", said, f"git rm --cached {' '.join(map(quote, names[:3]))}")
        return
    # .tm/ brings its own .gitignore.
    if _git(root, "check-ignore", ".env") is None:
        said = "git would take .env along, where secrets are"
        yield Check("git", "missing", said, "echo .env >> .gitignore")
    else:
        yield Check("git", "ok", ".env files and .tm/ stay out of git")


def _git(root: Path, *words: str) -> str | None:
    """Return what git says; None where it says no, or is not there."""
    try:
        done = subprocess.run(  # noqa: S603  fixed words, no shell
            ["git", "-C", str(root), *words],  # noqa: S607  git of the PATH
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _isolation() -> Check:
    from tm.runner.isolation.lock import why_not  # ctypes is for this alone

    lacks = why_not()
    if lacks is None:
        return Check("isolate", "ok", "--isolate works: the kernel has Landlock and seccomp")
    return Check("isolate", "optional", f"--isolate can't work here: {lacks}")


def _extras(environ: Mapping[str, str]) -> Iterator[Check]:
    for extra, (module, need) in _EXTRAS.items():
        subject = f"extra {extra}"
        if _is_there(module):
            yield Check(subject, "ok", f"installed, for {need}")
            continue
        is_needed = extra == "postgres" and bool(environ.get("TM_DATABASE_URL"))
        state: State = "missing" if is_needed else "optional"
        yield Check(subject, state, f"not installed; {need} needs it", f"pip install 'tm[{extra}]'")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its package is not there either
        return False
