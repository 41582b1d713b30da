"""The text form of a cassette: YAML in the layout of VCR, block style, made to be read in git.

What lives here: interactions to YAML and back. What must not: matching, masking, paths.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tm.errors import ToolError
from tm.http.cassette_quick import read_quickly
from tm.http.decoding import declared_charset, is_json, parse_json
from tm.http.reasons import REASONS

FORMAT: Final = 1
# They change with each recording and say nothing about the API.
_VOLATILE: Final = frozenset({
    "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "content-encoding",
    "content-length", "date", "expires", "keep-alive", "nel", "report-to", "request-id", "server",
    "server-timing", "set-cookie", "strict-transport-security", "traceparent", "transfer-encoding",
    "vary", "via", "x-amzn-trace-id", "x-cache", "x-cloud-trace-context", "x-correlation-id",
    "x-powered-by", "x-request-id", "x-response-time", "x-runtime", "x-served-by", "x-timer",
    "x-trace-id",
})  # fmt: skip


class DamagedError(Exception):
    """The text is no cassette; the message says where and why."""


class Interaction(NamedTuple):
    """One recorded exchange, masked.

    Attributes:
        uri: with the api's address as its config declares it (`${ERP_URL}/orders?page=1`).
        sent: the request's body as text, or None.
        sent_type: content type of the request's body.
        headers: of the answer, by lower-case name.
        content: body of the answer.
    """

    method: str
    uri: str
    sent: str | None
    status: int
    headers: Mapping[str, str] = MappingProxyType({})
    content: bytes = b""
    sent_type: str = ""


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return an answer's headers without those that change each time."""
    return {name: text for name, text in headers.items() if name not in _VOLATILE}


def dump(interactions: list[Interaction]) -> str:
    """Return the YAML text."""
    import yaml  # noqa: PLC0415  only a recording run pays for it

    base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    dumper: Any = type("_Dumper", (base,), {"ignore_aliases": lambda *_: True})
    dumper.add_representer(str, _represent_text)
    data = {"version": FORMAT, "interactions": [_plain(entry) for entry in interactions]}
    options: dict[str, Any] = {"allow_unicode": True, "sort_keys": False, "width": 1_000_000}
    text: str = yaml.dump(data, Dumper=dumper, **options)
    return text


def _represent_text(dumper: Any, text: str) -> Any:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _plain(entry: Interaction) -> dict[str, Any]:
    request: dict[str, Any] = {"method": entry.method, "uri": entry.uri}
    if entry.sent is not None:
        request |= {"headers": {"content-type": entry.sent_type}, "body": {"string": entry.sent}}
    return {
        "request": request,
        "response": {
            "status": {"code": entry.status, "message": REASONS.get(entry.status, "")},
            "headers": dict(entry.headers),
            "body": _plain_body(entry),
        },
    }


def _plain_body(entry: Interaction) -> dict[str, str]:
    kind = entry.headers.get("content-type", "")
    try:
        text = entry.content.decode(declared_charset(kind) or "utf-8")
    except UnicodeDecodeError:
        text = None
    if text is None or text.startswith("\ufeff") or _encoded(text, kind) != entry.content:
        return {"base64": b64encode(entry.content).decode()}
    return {"string": text}


def _encoded(text: str, content_type: str) -> bytes:
    try:
        return text.encode(declared_charset(content_type) or "utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def pretty(content: bytes, content_type: str) -> bytes:
    """Return JSON laid out over several lines, so that git shows what changed in it.

    The values stay; other content, and JSON that can't be read, stays byte for byte.
    """
    if not is_json(content_type) or b"\n" in content or len(content) < 100:
        return content
    try:
        value = parse_json(content.decode("utf-8"), of="")
        laid_out = json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8")
    except (ToolError, ValueError):
        return content
    return laid_out


def load(text: str | bytes) -> list[Interaction]:
    """Return the interactions of a cassette's text.

    Raises:
        DamagedError: where it is no YAML, or not of this layout.
    """
    entries = _quick_entries(text)
    if entries is None:
        entries = _parsed_entries(text)
    return [_interaction(entry, number) for number, entry in enumerate(entries, 1)]


def _quick_entries(text: str | bytes) -> list[dict[str, Any]] | None:
    if isinstance(text, str):
        return read_quickly(text)
    try:
        return read_quickly(text.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _parsed_entries(text: str | bytes) -> list[Any]:
    import yaml  # noqa: PLC0415  only a cassette that other hands wrote needs it

    # The base loader makes texts of all scalars: no dates, no numbers, no objects.
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        data = yaml.load(text, Loader=loader)  # noqa: S506  a loader that builds plain texts only
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1} column {mark.column + 1}: " if mark else ""
        raise DamagedError(f"{place}{error.problem}") from error
    except (yaml.YAMLError, RecursionError, UnicodeDecodeError) as error:
        raise DamagedError("it is no YAML text") from error
    entries = data.get("interactions") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise DamagedError("it has no list 'interactions'")
    return entries


def _interaction(entry: Any, number: int) -> Interaction:
    try:
        request, response = entry["request"], entry["response"]
        sent = request.get("body")
        headers = {name.lower(): _joined(text) for name, text in _mapping(response, "headers")}
        return Interaction(
            method=str(request["method"]).upper(),
            uri=str(request["uri"]),
            sent=_sent(sent),
            status=int(_code(response["status"])),
            headers=headers,
            content=_content(response.get("body"), headers.get("content-type", "")),
            sent_type=_joined(dict(_mapping(request, "headers")).get("content-type", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"interaction {number} lacks {error}" if isinstance(error, KeyError) else (
            f"interaction {number} is not in the form of a cassette"
        )  # fmt: skip
        raise DamagedError(what) from error


def _mapping(of: Any, key: str) -> Any:
    return (of.get(key) or {}).items()


def _joined(value: Any) -> str:
    """Return a header's text; recorders of other kinds write a list."""
    return ", ".join(value) if isinstance(value, list) else str(value)


def _code(status: Any) -> Any:
    return status["code"] if isinstance(status, dict) else status


def _sent(body: Any) -> str | None:
    if isinstance(body, dict):
        return str(body["string"])
    return None if body in {None, "", "null", "~"} else str(body)


def _content(body: Any, content_type: str) -> bytes:
    if not body:
        return b""
    if isinstance(body, str):
        return _encoded(body, content_type)
    if "base64" in body:
        return b64decode(body["base64"], validate=False)
    return _encoded(body["string"], content_type)
