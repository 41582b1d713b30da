"""A request as a curl command, to be tried out in a shell.

What lives here: writing the command, quoted for POSIX shells. What must not: what is masked in it
(`display`). A run that shows no command does not load this.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from tm.http.display import auth_form, headers_without_auth
from tm.http.messages import NOTHING, Call
from tm.http.urls import VARIABLE
from tm.redact import Redactor
from tm.redact.spellings import MIN_LENGTH

_PLAIN: Final = r"[\w :/.,?&=%@+*-]*"


class _Shell(NamedTuple):
    """Writes texts for a POSIX shell that has the variables.

    Attributes:
        names: variables by their secret values.
    """

    redactor: Redactor
    names: Mapping[str, str]

    def sent(self, text: str) -> str:
        """Quote what was sent: secrets are variables where they stand as they are, else `***`."""
        values = [value for value in self.names if len(value) >= MIN_LENGTH and value in text]
        if not values:
            return shlex.quote(self.redactor.text(text))
        # The longest one first: it may hold another.
        pattern = "|".join(re.escape(value) for value in sorted(values, key=len, reverse=True))
        pieces = re.split(f"({pattern})", text)
        pieces[::2] = map(self.redactor.text, pieces[::2])
        pieces[1::2] = (self.names[value] for value in pieces[1::2])
        return _joined(pieces)

    def declared(self, text: str) -> str:
        """Quote a text of the config, whose `${NAME}` the shell fills."""
        masked = self.redactor.text(text)
        if not VARIABLE.search(masked):
            return shlex.quote(masked)
        if re.fullmatch(_PLAIN, VARIABLE.sub("", masked), re.ASCII):
            return f'"{masked}"'
        return _joined(VARIABLE.split(masked))


def _joined(pieces: Iterable[str]) -> str:
    """Quote pieces of one word, of which every second one is a variable's name."""
    return "".join(
        f'"${{{piece}}}"' if number % 2 else shlex.quote(piece)
        for number, piece in enumerate(pieces)
        if piece
    )


def curl(call: Call, redactor: Redactor, names: Mapping[str, str] = NOTHING) -> str:
    """Return the request as a curl command for POSIX shells, secrets as `${NAME}`.

    Args:
        call: what is sent.
        redactor: masks secrets that no variable holds as they stand.
        names: variables by their secret values.
    """
    shell = _Shell(redactor, names)
    form = auth_form(call.api)
    parts = ["curl", *_method(call)]
    if form.user:
        parts += ["-u", shell.declared(form.user)]
    if form.parameter:
        parts += ["--url-query", shell.declared("=".join(form.parameter))]
    for name, text in headers_without_auth(call):
        if not (call.payload and call.payload.fields and name == "Content-Type"):
            parts += ["-H", _header(call, name, text, shell)]
    if form.header:
        parts += ["-H", shell.declared(": ".join(form.header))]
    parts += _data(call, shell)
    return " ".join([*parts, _url(call, shell)])


def _url(call: Call, shell: _Shell) -> str:
    """Quote the URL; a variable of the api's address stands in the shell too."""
    declared = call.base.declare(call.url)
    return shell.sent(call.url) if declared == call.url else shell.declared(declared)


def _header(call: Call, name: str, text: str, shell: _Shell) -> str:
    """Quote a header; only the config's own texts have variables, never those of arguments."""
    own = call.api.headers.get(name) == text
    return shell.declared(f"{name}: {text}") if own else shell.sent(f"{name}: {text}")


def _method(call: Call) -> list[str]:
    if call.method == "HEAD":
        return ["-I"]
    return [] if call.method == "GET" and call.payload is None else ["-X", call.method]


def _data(call: Call, shell: _Shell) -> list[str]:
    payload = call.payload
    if payload is None:
        return []
    if payload.fields:
        texts = [f"{name}={value}" for name, value in payload.fields]
        return [part for text in texts for part in ("--form-string", shell.sent(text))]
    return ["--data-raw", shell.sent(payload.content.decode("utf-8", "replace"))]
