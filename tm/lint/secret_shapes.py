"""What a secret looks like: tokens by their shape, and random text.

The shapes are those that the issuers document. What stands for a secret (`${NAME}`, `changeme`,
`<token>`, `xxxx`) is spared.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from tm.records import record


@record
class _Shape:
    """A kind of token.

    Attributes:
        marks: one of them is in every text that holds such a token: asked first, since it is
            cheap.
        pattern: its group 1 is the secret, where it has one; else all of it. Compiled when a text
            has a mark: all of them together would cost a start 10 ms.
    """

    words: str
    marks: tuple[str, ...]
    pattern: str


def _shape(words: str, marks: tuple[str, ...], pattern: str) -> _Shape:
    return _Shape(words, marks, pattern)


_SHAPES: Final = (
    _shape("an AWS access key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    _shape(
        "a GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})",
    ),
    _shape("a GitLab token", ("glpat-", "gldt-", "glrt-"), r"\bgl(?:pat|dt|rt)-[\w-]{20,}"),
    _shape("a Slack token", ("xox",), r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    _shape(
        "a Slack webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})",
    ),
    _shape(
        "a Stripe key",
        ("sk_live_", "rk_live_", "sk_test_", "rk_test_", "whsec_"),
        r"\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{10,}",
    ),
    _shape("a JSON Web Token", ("eyJ",), r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{10,}"),
    _shape("a private key", ("PRIVATE KEY",), r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----"),
    _shape(
        "a Google key",
        ("AIza", "GOCSPX-", "ya29."),
        r"\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})",
    ),
    _shape("an API key", ("sk-",), r"\bsk-(?:[a-z]+\d*-)*[A-Za-z0-9_-]{16,}"),
    _shape("a SendGrid key", ("SG.",), r"\bSG\.[\w-]{16,}\.[\w-]{16,}"),
    _shape("an npm or PyPI token", ("npm_", "pypi-"), r"\b(?:npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,})"),
    _shape("a Hugging Face token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,}"),
    _shape("a Shopify token", ("shpat_", "shpss_", "shpca_"), r"\bshp(?:at|ss|ca)_[0-9a-fA-F]{32}"),
    _shape("a DigitalOcean token", ("dop_v1_",), r"\bdop_v1_[0-9a-f]{64}"),
    _shape("a Twilio key", ("SK",), r"\bSK[0-9a-f]{32}\b"),
    _shape("a Telegram token", (":AA",), r"\b\d{8,10}:AA[\w-]{33}\b"),
    _shape("an Azure key", ("AccountKey=", "SharedAccessKey="), r"AccessKey=([\w+/=]{30,})"),
    _shape("an Azure key", ("AccountKey=",), r"AccountKey=([\w+/=]{30,})"),
    _shape(
        "a password in a URL",
        ("://",),
        r"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@'\"?#]*:([^\s/@'\"?#]+)@",
    ),
)
_MARKS: Final = tuple(
    (mark, number) for number, shape in enumerate(_SHAPES) for mark in shape.marks
)
"""Each mark with the number of its shape: most texts have none, which one loop in C finds out."""

_WORDS: Final = frozenset(
    {"example", "examples", "sample", "dummy", "fake", "changeme", "change", "placeholder"}
    | {"todo", "tbd", "your", "my", "our", "the", "a", "insert", "here", "test", "testing", "demo"}
    | {"mock", "redacted", "hidden", "masked", "none", "null", "nil", "empty", "unset", "secret"}
    | {"password", "passwort", "passwd", "pass", "pwd", "token", "key", "api", "apikey", "user"}
    | {"username", "foo", "bar", "baz", "xxx", "value", "string", "text", "not", "no", "real"}
    | {"replace", "with", "me", "it", "is", "to", "be", "set", "required", "optional", "true"}
    | {"false", "yes", "on", "off", "default", "bearer", "basic", "auth", "access", "client", "sk"}
    | {"local", "dev", "env", "from", "stub", "invalid", "wrong", "anything", "something", "any"}
)
"""A value that is made of nothing else says that a secret belongs there, and holds none."""

_ORDERED: Final = ("0123456789", "1234567890", "abcdefgh", "ABCDEFGH", "deadbeef")
_RUN: Final = re.compile(r"[A-Za-z0-9+/_=]{16,}")
_SCHEME: Final = re.compile(r"(?i)^(?:bearer|basic|token|apikey|api-key|digest)\s+")
_VARIABLE: Final = re.compile(r"\$\{[^}]*\}|\$[A-Za-z_]\w*|\{\{[^}]*\}\}|\{[\w.]*\}|<[^<>]*>|%\w+%")


def find_tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield value, kind in words and position of every token that its shape gives away."""
    marked = dict.fromkeys([number for mark, number in _MARKS if mark in text])
    for shape in map(_SHAPES.__getitem__, marked):
        pattern = re.compile(shape.pattern)
        group = 1 if pattern.groups else 0
        for match in pattern.finditer(text):
            if not _is_spared(shape, match[group]):
                yield match[group], shape.words, match.start(group)


def _is_spared(shape: _Shape, value: str) -> bool:
    if shape.words == "a private key":
        return False
    if shape.words == "a password in a URL":
        return is_placeholder(value)
    if shape.words == "an API key" and not (_entropy(value) > 3.3 and re.search(r"\d", value)):
        return True  # such as sk-learn-...
    body = re.sub(r"^[A-Za-z0-9]{1,10}[_-]", "", value)
    return "example" in value.lower() or is_placeholder(body) or _entropy(body) < 2.5


def is_placeholder(value: str) -> bool:
    """Say whether a text stands for a secret that somebody else knows."""
    rest = _SCHEME.sub("", _VARIABLE.sub("", value.strip())).strip()
    if len(set(rest.lower())) <= 2 or any(row in rest for row in _ORDERED):
        return True
    words = [word for word in re.split(r"[^A-Za-z0-9]+", rest.lower()) if word]
    return all(
        word in _WORDS or (word.isdigit() and len(words) > 1) or _is_filler(word) for word in words
    )


def _is_filler(word: str) -> bool:
    return len(set(word)) == 1 and word[0] in "x0*"


def is_random(value: str) -> bool:
    """Say whether a text is so random, and so long, that nobody has thought of it."""
    rest = _SCHEME.sub("", _VARIABLE.sub("", value.strip()))
    if any(char.isspace() for char in rest) or is_placeholder(rest):
        return False
    return any(_is_random_run(run) for run in _RUN.findall(rest))


def _is_random_run(run: str) -> bool:
    if not (re.search(r"\d", run) and re.search(r"[A-Za-z]", run)):
        return False
    words = re.findall(r"[A-Za-z][a-z]{3,}", run)
    if sum(map(len, words)) > 0.6 * len(run):
        return False  # made of words, such as orders_by_customer_2026
    return _entropy(run) > 3.0


def _entropy(text: str) -> float:
    """Return the bits that each character carries by itself."""
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts) if text else 0.0
