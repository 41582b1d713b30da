"""Reading a response body piece by piece, unpacked, and never past a size.

What lives here: gzip and deflate with a limit. What must not: sockets, URLs.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

_PIECE: Final = 65_536
_GZIP: Final = 31  # window bits that mean: with gzip's header
_ZLIB: Final = 15
_RAW: Final = -15
_NO_ENCODING: Final = frozenset({"", "identity"})


class TooLargeError(Exception):
    """The body is larger than its limit."""


class EncodingError(Exception):
    """The body can't be unpacked; the text says why."""


def read_limited(chunks: Iterable[bytes], encoding: str, limit: int) -> bytes:
    """Return the whole body, unpacked.

    Args:
        chunks: as they come from the network.
        encoding: the `Content-Encoding` header.
        limit: most bytes after unpacking. Memory stays near it, whatever the chunks unpack to.

    Raises:
        TooLargeError: past the limit; the rest is not read.
        EncodingError: for damaged, unknown and stacked encodings.
    """
    body = bytearray()
    for piece in _unpacked(iter(chunks), encoding.strip().lower()):
        body += piece
        if len(body) > limit:
            raise TooLargeError
    return bytes(body)


def _unpacked(chunks: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    if encoding in _NO_ENCODING:
        return chunks
    if "," in encoding:
        # One layer of gzip is 1,000 to 1; two are a bomb of 1,000,000 to 1.
        raise EncodingError(f"it is packed several times ({encoding})")
    if encoding in {"gzip", "x-gzip"}:
        return _inflated(chunks, lambda _: _GZIP)
    if encoding == "deflate":
        return _inflated(_with_full_start(chunks), _deflate_window)
    raise EncodingError(f"its content encoding {encoding!a} was not asked for")


def _with_full_start(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the chunks, the first with two bytes at least, which tell the format."""
    start = b""
    for chunk in chunks:
        start += chunk
        if len(start) >= 2:
            yield start
            break
    else:
        if start:
            yield start
    yield from chunks


def _deflate_window(start: bytes) -> int:
    """Some servers send `deflate` without the zlib header that the standard asks for."""
    is_zlib = start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0  # RFC 1950, 2.2
    return _ZLIB if is_zlib else _RAW


def _inflated(chunks: Iterable[bytes], window_of: Callable[[bytes], int]) -> Iterator[bytes]:
    unpacker = None
    window = 0
    try:
        for chunk in chunks:
            data = chunk
            if unpacker is None and data:
                window = window_of(data)
                unpacker = zlib.decompressobj(window)
            while data and unpacker is not None:
                if unpacker.eof:
                    if window != _GZIP or not data.startswith(b"\x1f"):
                        break  # padding behind the end
                    unpacker = zlib.decompressobj(window)  # gzip may hold several members
                yield from _pieces(unpacker, data)
                data = unpacker.unused_data
    except zlib.error as error:
        raise EncodingError("its packed bytes are damaged") from error
    if unpacker is not None and not unpacker.eof:
        raise EncodingError("its packed bytes end too early")


def _pieces(unpacker: Any, data: bytes) -> Iterator[bytes]:
    """Yield what the data unpacks to, in pieces of a limited size."""
    piece = unpacker.decompress(data, _PIECE)
    while piece:
        yield piece
        piece = b"" if unpacker.eof else unpacker.decompress(unpacker.unconsumed_tail, _PIECE)
