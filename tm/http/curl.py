"""A request as a curl command, to be tried out in a shell.

What lives here: writing the command, quoted for POSIX shells. What must not: what is masked in it
(`display`). A run that shows no command does not load this.
"""

from __future__ import annotations

import re
import shlex
from typing import Final

from tm.http.display import auth_form, headers_without_auth
from tm.http.messages import Call
from tm.http.urls import VARIABLE
from tm.redact import Redactor

_PLAIN: Final = r"[\w :/.,?&=%@+*-]*"


def curl(call: Call, redactor: Redactor) -> str:
    """Return the request as a curl command for POSIX shells, secrets as `${NAME}`."""
    form = auth_form(call.api)
    parts = ["curl", *_method(call)]
    if form.user:
        parts += ["-u", _quoted(form.user)]
    if form.parameter:
        parts += ["--url-query", _quoted("=".join(form.parameter))]
    for name, text in headers_without_auth(call):
        if not (call.payload and call.payload.fields and name == "Content-Type"):
            parts += ["-H", _header(call, name, text, redactor)]
    if form.header:
        parts += ["-H", _quoted(": ".join(form.header))]
    parts += _data(call, redactor)
    # A variable stands in the shell too; everything else of a URL is plain text.
    declared = call.base.declare(call.url)
    return " ".join([*parts, _quoted(redactor.text(declared))])


def _header(call: Call, name: str, text: str, redactor: Redactor) -> str:
    """Quote a header; only the config's own texts have variables, never those of arguments."""
    if call.api.headers.get(name) == text:
        return _quoted(f"{name}: {redactor.text(text)}")
    return shlex.quote(redactor.text(f"{name}: {text}"))


def _method(call: Call) -> list[str]:
    if call.method == "HEAD":
        return ["-I"]
    return [] if call.method == "GET" and call.payload is None else ["-X", call.method]


def _data(call: Call, redactor: Redactor) -> list[str]:
    payload = call.payload
    if payload is None:
        return []
    if payload.fields:
        texts = [redactor.text(f"{name}={value}") for name, value in payload.fields]
        return [part for text in texts for part in ("--form-string", shlex.quote(text))]
    return ["--data-raw", shlex.quote(redactor.text(payload.content.decode("utf-8", "replace")))]


def _quoted(text: str) -> str:
    """Quote for a POSIX shell so that `${NAME}` is filled by the shell and nothing else is."""
    if not VARIABLE.search(text):
        return shlex.quote(text)
    if re.fullmatch(_PLAIN, VARIABLE.sub("", text), re.ASCII):
        return f'"{text}"'
    pieces: list[str] = []
    end = 0
    for match in VARIABLE.finditer(text):
        pieces += [text[end : match.start()], f'"{match[0]}"']
        end = match.end()
    pieces.append(text[end:])
    return "".join(p if i % 2 else shlex.quote(p) for i, p in enumerate(pieces) if p)
