"""A server on this machine that answers as a case says, and remembers what it was asked."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

from tests.conformance.matching import differences

ASKED = ("method", "path", "raw", "query", "headers", "json", "text")
UNKNOWN = {"status": 404, "json": {"error": "no such route"}}


class Loopback:
    """The routes of a case, and the requests that came."""

    def __init__(self, routes: list[dict[str, Any]]) -> None:
        self.routes = routes
        self.left = [route.get("reply", {}).get("times") for route in routes]
        self.seen: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.names: dict[str, str] = {}

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Return the reply of the first route that fits and is not used up."""
        with self.lock:
            self.seen.append(asked)
            for number, route in enumerate(self.routes):
                wanted = lower_headers({key: route[key] for key in ASKED if key in route})
                if self.left[number] == 0 or differences(wanted, asked):
                    continue
                if self.left[number]:
                    self.left[number] -= 1
                return route.get("reply", {})
        return UNKNOWN

    def filled(self, text: str) -> str:
        """Return a text of a reply with the servers' addresses."""
        for name, address in self.names.items():
            text = text.replace(name, address)
        return text


def lower_headers(request: dict[str, Any]) -> dict[str, Any]:
    """Return a wanted request with header names as they are compared."""
    if "headers" not in request:
        return request
    return {**request, "headers": {k.lower(): v for k, v in request["headers"].items()}}


@contextmanager
def serving(routes: list[dict[str, Any]] | None) -> Iterator[tuple[Loopback, str]]:
    """Serve routes on a free port; yields what was asked so far, and the address."""
    loopback = Loopback(routes or [])
    handler = type("Handler", (_Handler,), {"loopback": loopback})
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield loopback, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Be silent: clients that are killed, or time out, are what cases are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    loopback: Loopback

    def log_message(self, *args: object) -> None:
        """Be silent."""

    def _any(self) -> None:
        reply = self.loopback.answer(self._asked())
        time.sleep(reply.get("delay", 0))
        if reply.get("drop"):
            self.close_connection = True
            return
        data, kind = self._content(reply)
        self._send(reply, data, kind)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _any  # noqa: N815

    def _asked(self) -> dict[str, Any]:
        body = self._body()
        path, _, query = self.path.partition("?")
        asked = {
            "method": self.command,
            "path": path,
            "raw": self.path,
            "query": _grouped(parse_qsl(query, keep_blank_values=True)),
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "text": body.decode("utf-8", "replace"),
        }
        try:
            return {**asked, "json": json.loads(body)}
        except ValueError:
            return asked

    def _body(self) -> bytes:
        if "chunked" not in (self.headers.get("transfer-encoding") or ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _content(self, reply: dict[str, Any]) -> tuple[bytes, str]:
        if "json" in reply:
            text = self.loopback.filled(json.dumps(reply["json"]))
            data, kind = text.encode(), "application/json"
        elif "base64" in reply:
            data, kind = base64.b64decode(reply["base64"]), "application/octet-stream"
        else:
            data, kind = str(reply.get("text", "")).encode(), "text/plain; charset=utf-8"
        return data * reply.get("repeat", 1), kind

    def _send(self, reply: dict[str, Any], data: bytes, kind: str) -> None:
        status = reply.get("status", 200)
        given = {name.lower(): str(value) for name, value in reply.get("headers", {}).items()}
        try:
            self.send_response(status)
            for name, value in {"content-type": kind, **given}.items():
                self.send_header(name, self.loopback.filled(value))
            if status != 204:
                self.send_header("content-length", str(len(data)))
            self.end_headers()
            if status != 204 and self.command != "HEAD":
                self.wfile.write(data)
        except ConnectionError:
            self.close_connection = True


def _grouped(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    grouped: dict[str, list[str]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return {name: values if len(values) > 1 else values[0] for name, values in grouped.items()}
