"""TM310: a secret written into a config file."""

from __future__ import annotations

from collections.abc import Iterator

from tm.lint.rule import Hit, Rule, Subject

_HELP = (
    "write ${NAME} and put the value into .env or the environment; replace it at its issuer, "
    "since it counts as known"
)


def check(subject: Subject) -> Iterator[Hit]:
    """Yield a hit for each secret of a file; its value is never in the words."""
    file = subject.file
    assert file is not None  # noqa: S101  the rule's scope
    for secret in file.secrets:
        yield Hit(secret.at, f"{secret.words}: ***", _HELP)


RULE = Rule("TM310", "file", check)
