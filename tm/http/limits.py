"""Reading a response body piece by piece, unpacked, and never past a size.

What lives here: gzip and deflate with a limit. What must not: sockets, URLs.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

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
    for piece in _unpacked(chunks, encoding.strip().lower()):
        body += piece
        if len(body) > limit:
            raise TooLargeError
    return bytes(body)


def _unpacked(chunks: Iterable[bytes], encoding: str) -> Iterable[bytes]:
    if encoding in _NO_ENCODING:
        return chunks
    if "," in encoding:
        # One layer of gzip is 1,000 to 1; two are a bomb of 1,000,000 to 1.
        raise EncodingError(f"it is packed several times ({encoding})")
    if encoding in {"gzip", "x-gzip"}:
        return _inflated(chunks, _GZIP)
    if encoding == "deflate":
        return _inflated(chunks, _ZLIB)
    raise EncodingError(f"its content encoding {encoding!a} was not asked for")


def _inflated(chunks: Iterable[bytes], window: int) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(window)
    begun = False
    for chunk in chunks:
        data = chunk
        while data:
            if unpacker.eof:
                if window != _GZIP or not data.startswith(b"\x1f\x8b"):
                    break  # padding behind the end
                unpacker = zlib.decompressobj(window)  # gzip may hold several members
            try:
                piece = unpacker.decompress(data, _PIECE)
            except zlib.error as error:
                if window != _ZLIB or begun:
                    raise EncodingError("its packed bytes are damaged") from error
                # Some servers send `deflate` without the zlib header that the standard asks for.
                window = _RAW
                unpacker = zlib.decompressobj(window)
                continue
            begun = True
            data = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
            if piece:
                yield piece
    if begun and not unpacker.eof:
        raise EncodingError("its packed bytes end too early")
