"""A file's content as an argument or result: text, or base64 of other bytes."""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64

from tm.builtin.places import invalid


def encoded(data: bytes, encoding: str, path: str) -> str:
    """Return a file's bytes as text.

    Args:
        data: the file's bytes.
        encoding: `utf-8` or `base64`.
        path: of the file, for the error.

    Raises:
        ToolError: TM501, it is no UTF-8.
    """
    if encoding == "base64":
        return b2a_base64(data, newline=False).decode("ascii")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise invalid(
            "encoding",
            f"{path!a} is no UTF-8 text: byte {error.start} is {data[error.start]:#04x}",
            "read it with encoding: base64",
        ) from error


def decoded(content: str, encoding: str) -> bytes:
    """Return the bytes that a content argument means; white space in base64 is passed over.

    Raises:
        ToolError: TM501, it is no base64, or holds half of a character.
    """
    try:
        if encoding == "base64":
            return a2b_base64("".join(content.split()), strict_mode=True)
        return content.encode("utf-8")
    except UnicodeEncodeError as error:
        what = f"content holds half of a character (a lone surrogate) at position {error.start}"
        raise invalid("content", what) from error
    except (Error, ValueError) as error:
        raise invalid(
            "content", f"content is no base64: {error}", "leave encoding out for plain text"
        ) from error
