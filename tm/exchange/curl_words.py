"""A curl command, read as curl reads it: which request it would send.

What lives here: words and options. What must not: tools.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import quote_plus

from tm.errors import UsageError
from tm.records import field, record

_HINT: Final = "curl -X POST 'https://api.example.com/tickets' -H '...' -d '{\"title\": \"...\"}'"
# Options that say nothing of the request itself: without a value, and with one.
_IGNORED: Final = frozenset({
    "-s", "--silent", "-S", "--show-error", "-L", "--location", "-k", "--insecure", "-v",
    "--verbose", "-i", "--include", "--compressed", "-f", "--fail", "-g", "--globoff", "-N",
    "--no-buffer", "--http1.1", "--http2", "-#", "--progress-bar", "-4", "-6", "--fail-with-body",
    "-O", "--remote-name", "--ssl-no-revoke", "--tcp-nodelay",
})  # fmt: skip
_IGNORED_WITH_VALUE: Final = frozenset({
    "-o", "--output", "-m", "--max-time", "--connect-timeout", "--retry", "-w", "--write-out",
    "-A", "--user-agent", "-e", "--referer", "--cacert", "--max-redirs", "-x", "--proxy",
    "--retry-delay", "--cert", "--key", "-E",
})  # fmt: skip
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "0": "\0"}
_ANSI: Final = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|.)", re.DOTALL)


@record(frozen=False)
class CurlRequest:
    """The request of a curl command.

    Attributes:
        method: None: what follows from the body.
        headers: names as written, in order.
        data: the bodies of `-d` and its like, to be joined by `&`.
        form: fields of `-F`.
        user: of `-u`: `NAME:PASSWORD`.
        is_json: `--json` was given.
        is_get: `-G` was given: the data go to the query.
    """

    url: str = ""
    method: str | None = None
    headers: list[tuple[str, str]] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    form: list[tuple[str, str]] = field(default_factory=list)
    user: str | None = None
    is_json: bool = False
    is_get: bool = False


def read_curl(text: str) -> CurlRequest:
    """Return the request of the first curl command in a text.

    Raises:
        UsageError: TM500, there is none, it names no address, or reads files.
    """
    words = _words(text)
    request = CurlRequest()
    for option, value in _options(words):
        _take(request, option, value)
    if not request.url:
        raise UsageError("the curl command names no address", code="TM500", hint=_HINT)
    return request


def _words(text: str) -> list[str]:
    """Return the words behind `curl`, up to the command's end."""
    joined = re.sub(r"[\\^`]\r?\n", " ", text.strip())
    joined = _ANSI.sub(lambda hit: shlex.quote(_unescaped(hit[1])), joined)
    try:
        words = shlex.split(joined.split("\ncurl ")[0], comments=False)
    except ValueError as error:
        message = f"the curl command can't be read: {str(error).lower()}"
        raise UsageError(message, code="TM500", hint=_HINT) from error
    while words and words[0] in {"$", "sudo", "time"}:
        words.pop(0)
    if not words or words[0].rpartition("/")[2] not in {"curl", "curl.exe"}:
        raise UsageError("stdin holds no curl command", code="TM500", hint=_HINT)
    end = next((n for n, word in enumerate(words) if word in {"|", "&&", ";", "||", ">"}), None)
    return words[1:end]


def _unescaped(text: str) -> str:
    r"""Return what a shell makes of `$'...'`, in which browsers write `\n` and `\u00e4`."""

    def char(hit: re.Match[str]) -> str:
        word = hit[1]
        if len(word) > 1:
            return chr(int(word[1:], 16))
        return _ESCAPES.get(word, "\\" + word)

    return _ESCAPE.sub(char, text)


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each option with its value; an address has the option `--url`, a flag no value."""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            yield "--url", word
            continue
        name, equals, value = word.partition("=")
        if word.startswith("--"):
            option, given = (name, value) if equals else (word, None)
        else:
            option, given = word[:2], word[2:] or None
        if option in _IGNORED or option in _FLAGS:
            yield option, ""
            if given and not word.startswith("--"):  # joined flags: -sSL
                rest.insert(0, f"-{given}")
            continue
        if given is None:
            if not rest:
                raise UsageError(f"{option} of curl needs a value", code="TM500", hint=_HINT)
            given = rest.pop(0)
        yield option, given


def _take(request: CurlRequest, option: str, value: str) -> None:
    if option in _IGNORED or option in _IGNORED_WITH_VALUE:
        return
    if option not in _TAKES:
        raise UsageError(
            f"option {option} of curl is not known here", code="TM500", hint="leave it out"
        )
    _TAKES[option](request, value)


def _header(request: CurlRequest, value: str) -> None:
    name, colon, content = value.partition(":")
    if colon and content.strip():
        request.headers.append((name.strip(), content.strip()))


def _data(request: CurlRequest, value: str) -> None:
    if value.startswith("@"):
        raise UsageError(
            f"curl would read the body from the file {value[1:]!a:.60}",
            code="TM500",
            hint="put the body itself behind -d",
        )
    request.data.append(value)


def _raw(request: CurlRequest, value: str) -> None:
    request.data.append(value)


def _encoded(request: CurlRequest, value: str) -> None:
    name, equals, content = value.partition("=")
    request.data.append(f"{name}={quote_plus(content)}" if equals else quote_plus(value))


def _json(request: CurlRequest, value: str) -> None:
    request.is_json = True
    _data(request, value)


def _form(request: CurlRequest, value: str) -> None:
    name, _, content = value.partition("=")
    request.form.append((name, content))


def _set(name: str, *, to: Any = None) -> Callable[[CurlRequest, str], None]:
    def take(request: CurlRequest, value: str) -> None:
        setattr(request, name, value if to is None else to)

    return take


def _cookie(request: CurlRequest, value: str) -> None:
    request.headers.append(("Cookie", value))


_FLAGS: Final = frozenset({"-G", "--get", "-I", "--head"})
_TAKES: Final[dict[str, Callable[[CurlRequest, str], None]]] = {
    "--url": _set("url"),
    "-X": _set("method"), "--request": _set("method"),
    "-I": _set("method", to="HEAD"), "--head": _set("method", to="HEAD"),
    "-G": _set("is_get", to=True), "--get": _set("is_get", to=True),
    "-u": _set("user"), "--user": _set("user"),
    "-H": _header, "--header": _header, "-b": _cookie, "--cookie": _cookie,
    "-d": _data, "--data": _data, "--data-ascii": _data, "--data-binary": _data,
    "--data-raw": _raw, "--data-urlencode": _encoded, "--json": _json,
    "-F": _form, "--form": _form, "--form-string": _form,
}  # fmt: skip
