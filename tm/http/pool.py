"""Connections and tokens that outlive a run.

What lives here: what is kept between runs, keyed so that tenants never share it. What must not:
knowing what a connection is (`network` makes them), so that a run without HTTP loads nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, Protocol

from tm.http.oauth import TokenCache


class Closable(Protocol):
    """A connection that can be closed."""

    def close(self) -> None:
        """Close it; a second time does nothing."""
        ...


class ConnectionPool:
    """The connections of one process: one for each tenant, origin and thread.

    Sharing one between threads costs more than a connection of their own (PERFORMANCE, "HTTP").

    Attributes:
        tenants: the folder `tenants/`, where CA files are looked up; None: none are allowed.
        tokens: access tokens by tenant and api.
    """

    def __init__(self, tenants: Path | None = None) -> None:
        self.tenants = tenants
        self.tokens = TokenCache()
        self._kept: dict[Hashable, Any] = {}
        self._closable: list[Closable] = []
        self._lock = Lock()

    def connection(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return this thread's connection of the key, made where there is none yet."""
        mine = (get_ident(), key)
        found = self._kept.get(mine)
        if found is None:
            found = make()
            with self._lock:
                self._kept[mine] = found
                self._closable.append(found)
        return found

    def shared(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return what all threads share under the key (a TLS context), made once."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            return self._kept[key]

    def close(self) -> None:
        """Close every connection. The pool may be used again."""
        with self._lock:
            closable, self._closable = self._closable, []
            self._kept.clear()
        for connection in closable:
            connection.close()
