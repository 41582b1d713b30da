"""A line that GitHub Actions shows beside the code.

https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Mapping

from tm.render.lines import visible


def one_line(text: str) -> str:
    """Return the text on one line, with control characters as escapes."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def annotation(severity: str, properties: Mapping[str, str], message: str) -> str:
    """Return a workflow command, without a newline at its end.

    Args:
        severity: `error`, `warning` or `notice`.
        properties: `file`, `line`, `title` and so on.
        message: may have several lines.
    """
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{severity} {shown}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")
