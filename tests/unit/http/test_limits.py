import gzip as gzip_
import zlib

import pytest

from tm.http.limits import EncodingError, TooLargeError, read_limited


def packed_gzip(data):
    return gzip_.compress(data, mtime=0)  # no time in the bytes: they are test names


TEXT = b"0123456789" * 1000


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def pieces(data, size=100):
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize(
    ("packed", "encoding"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (packed_gzip(TEXT), "gzip"),
        (packed_gzip(TEXT), " X-GZIP "),
        (zlib.compress(TEXT), "deflate"),
        (raw_deflate(TEXT), "deflate"),
        (packed_gzip(TEXT[:5000]) + packed_gzip(TEXT[5000:]), "gzip"),
        (packed_gzip(TEXT) + b"\0\0padding", "gzip"),
        (zlib.compress(TEXT) + b"x", "deflate"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_body_is_unpacked(packed, encoding, size):
    assert read_limited(pieces(packed, size), encoding, 10_000) == TEXT


@pytest.mark.parametrize("encoding", ["gzip", "deflate", ""])
def test_no_body_is_empty_whatever_its_encoding(encoding):
    assert read_limited([], encoding, 10) == b""


@pytest.mark.parametrize(("packed", "encoding"), [(TEXT, ""), (packed_gzip(TEXT), "gzip")])
def test_one_byte_too_many_is_refused(packed, encoding):
    with pytest.raises(TooLargeError):
        read_limited([packed], encoding, 9_999)


def test_bomb_stops_near_the_limit():
    bomb = packed_gzip(bytes(50_000_000))
    taken = []

    def chunks():
        for piece in pieces(bomb, 1000):
            taken.append(len(piece))
            yield piece

    with pytest.raises(TooLargeError):
        read_limited(chunks(), "gzip", 1_000_000)
    assert sum(taken) < len(bomb) / 10


@pytest.mark.parametrize(
    ("packed", "encoding", "words"),
    [
        (packed_gzip(TEXT)[:-20], "gzip", "too early"),
        (b"\x1f\x8b" + b"x" * 50, "gzip", "damaged"),
        (b"x" * 50, "deflate", "damaged"),
        (packed_gzip(packed_gzip(TEXT)), "gzip, gzip", "several times"),
        (TEXT, "br", "not asked for"),
    ],
)
def test_what_can_not_be_unpacked_says_why(packed, encoding, words):
    with pytest.raises(EncodingError, match=words):
        read_limited([packed], encoding, 10_000)


def test_damage_behind_good_deflate_is_found():
    with pytest.raises(EncodingError, match="damaged"):
        read_limited([zlib.compress(TEXT)[:-4], b"xxxx"], "deflate", 1_000_000)


def test_deflate_of_one_byte_ends_too_early():
    with pytest.raises(EncodingError, match=r"damaged|too early"):
        read_limited([b"", b"\x78"], "deflate", 100)
