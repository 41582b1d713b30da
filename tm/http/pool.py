"""Connections and tokens that outlive a run.

What lives here: what is kept between runs, keyed so that tenants never share it. What must not:
knowing what a connection is (`network` makes them), so that a run without HTTP loads nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, Protocol

TokenKey = tuple[str, str, str, str, str, str]


class TokenCache:
    """The tokens of one process. Safe to share between threads."""

    __slots__ = ("_lock", "_tokens")

    def __init__(self) -> None:
        self._tokens: dict[TokenKey, tuple[str, float]] = {}
        self._lock = Lock()

    def get(self, key: TokenKey, now: float) -> str | None:
        """Return the token, or None where there is none that is still valid."""
        with self._lock:
            token, expires = self._tokens.get(key, ("", 0.0))
        return token if token and now < expires else None

    def put(self, key: TokenKey, token: str, expires: float) -> None:
        """Keep a token until the given moment of the monotonic clock."""
        with self._lock:
            self._tokens[key] = (token, expires)


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
