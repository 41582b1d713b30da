"""Random secrets in random surroundings never survive, in any encoding or mixture of them."""

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus, unquote

from hypothesis import given
from hypothesis import strategies as st

from tm.redact import MASK, Redactor

# Characters that encoders treat differently, and letters. No `%`, `&` and `\` in front of what
# could be read as an escape: those have tests of their own.
SECRETS = st.text(
    st.sampled_from("abXY019+/=-_.~:;,?#!$()[]{}<>\"'`|^@ üßé€漢\U0001f511"),
    min_size=4,
    max_size=24,
).filter(lambda text: len(text.strip()) >= 4)
SURROUNDINGS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
CALM = st.text(st.sampled_from("abcXYZ 123 ,.\n"), max_size=20)


def partly(secret: str, choices: list[bool]) -> str:
    return "".join(
        quote(char, safe="") if choices[i % len(choices)] else char for i, char in enumerate(secret)
    )


ENCODERS = st.sampled_from(
    [
        str,
        lambda text: quote(text, safe=""),
        lambda text: quote(text, safe="").lower() if text == text.lower() else quote(text),
        quote,
        quote_plus,
        lambda text: quote(quote(text, safe=""), safe=""),
        json.dumps,
        lambda text: json.dumps(text, ensure_ascii=False),
        lambda text: json.dumps(json.dumps(text)),
        lambda text: quote(json.dumps(text)),
        html.escape,
        lambda text: html.escape(json.dumps(text)),
        lambda text: repr(text.encode()),
        lambda text: text.encode().hex(),
    ]
)


@given(SECRETS, ENCODERS, CALM, CALM)
def test_encoded_secret_is_masked_and_its_surroundings_are_kept(secret, encode, before, after):
    text = f"{before}|{encode(secret)}|{after}"
    masked = Redactor([secret]).text(text)
    assert MASK in masked
    assert encode(secret) not in masked
    words = [word for side in (before, after) for word in re.split(r"\W+", side) if word]
    if not any(word in secret or secret in word for word in words):
        assert masked.startswith(f"{before}|")
        assert masked.endswith(f"|{after}")


@given(SECRETS, st.lists(st.booleans(), min_size=1, max_size=8), SURROUNDINGS, SURROUNDINGS)
def test_partly_encoded_secret_never_survives(secret, choices, before, after):
    masked = Redactor([secret]).text(f"{before} {partly(secret, choices)} {after}")
    assert secret not in masked
    assert secret not in unquote(masked)


@given(SECRETS, st.binary(max_size=20), st.binary(max_size=20), st.booleans())
def test_secret_inside_base64_never_survives(secret, before, after, is_url_safe):
    encode = base64.urlsafe_b64encode if is_url_safe else base64.b64encode
    text = encode(before + secret.encode() + after).decode()
    masked = Redactor([secret]).text(text)
    assert MASK in masked
    assert text not in masked


@given(st.lists(SECRETS, min_size=1, max_size=5), st.data())
def test_secrets_that_overlap_never_survive(secrets, data):
    parts = st.sampled_from([*secrets, *(s[:3] for s in secrets), *(s[-3:] for s in secrets), "-"])
    text = "".join(data.draw(st.lists(parts, max_size=8)))
    masked = Redactor(secrets).text(text)
    assert not any(secret in masked for secret in secrets)


@given(SECRETS, SURROUNDINGS)
def test_masking_twice_is_masking_once(secret, text):
    redactor = Redactor([secret])
    once = redactor.text(f"{text}{secret}{text}")
    assert redactor.text(once) == once


@given(st.text(max_size=60))
def test_text_without_secret_or_url_is_returned_as_it_is(text):
    redactor = Redactor(["zq-7Kx!never"])
    if "@" not in text and "never" not in text:
        assert redactor.text(text) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | SURROUNDINGS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(SURROUNDINGS, inner, max_size=4),
    max_leaves=12,
)


def texts_in(value):
    """Yield every text in JSON data, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for below in value.values():
            yield from texts_in(below)
    elif isinstance(value, list):
        for below in value:
            yield from texts_in(below)


@given(JSON, SECRETS)
def test_no_secret_survives_in_json_and_its_shape_stays(value, secret):
    masked = Redactor([secret]).json({secret: [value, secret], "x": value})
    # Looked for in the texts, not in their JSON: `\\u0000` holds the secret 0000 by chance.
    assert not any(secret in text for text in texts_in(masked))
    assert list(masked) == [MASK, "x"]
    assert type(masked["x"]) is type(value)


@given(st.text(min_size=4, max_size=12).filter(lambda t: len(t.strip()) >= 4))
def test_any_text_as_secret_is_masked_where_it_stands(secret):
    assert secret not in Redactor([secret]).text(f"<{secret}> {secret}{secret}")
