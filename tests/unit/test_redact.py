"""Redaction: no form of a secret is left, nothing else is touched."""

import base64
import html
import json
import shlex
from threading import Thread
from urllib.parse import quote, quote_plus

import pytest

from tm.redact import MASK, Redactor

TOKEN = "tk+geheim/4711"
PASSWORD = 'pa:ss "wört9" €\\'
GEO = "geo/key+99=="


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        (TOKEN, TOKEN),
        (GEO, "geo%2Fkey%2B99%3D%3D"),
        (GEO, "geo%2fkey%2b99%3d%3d"),
        (GEO, "geo/key%2B99%3D%3D"),
        (GEO, "%67%65o/key+99=%3D"),
        (TOKEN, quote(quote(TOKEN, safe=""), safe="")),
        (PASSWORD, quote(PASSWORD)),
        (PASSWORD, quote_plus(PASSWORD)),
        (PASSWORD, quote(PASSWORD, encoding="latin-1", errors="ignore").replace("%20%5C", " €%5C")),
        (PASSWORD, json.dumps(PASSWORD)[1:-1]),
        (PASSWORD, json.dumps(PASSWORD, ensure_ascii=False)[1:-1]),
        (PASSWORD, json.dumps(json.dumps(PASSWORD))[3:-3]),
        (PASSWORD, quote(json.dumps(PASSWORD)[1:-1])),
        (TOKEN, TOKEN.replace("/", "\\/")),
        (PASSWORD, html.escape(PASSWORD)),
        (PASSWORD, "".join(f"&#{ord(char)};" for char in PASSWORD)),
        (PASSWORD, "".join(f"&#x{ord(char):X};" for char in PASSWORD)),
        ("Grüße<3", "Gr&uuml;&szlig;e&lt;3"),
        (PASSWORD, repr(PASSWORD.encode())[2:-1]),
        ("key\U0001f511key", json.dumps("key\U0001f511key")[1:-1]),
        ("key\U0001f511key", "key\\U0001f511key"),
        ("key\ud83d\x00key", json.dumps("key\ud83d\x00key")[1:-1]),
        ("line\none\ttab", "line\\none\\ttab"),
        ("it's secret", shlex.quote("it's secret")[1:-1]),
        ("it's secret", "it'\\''s secret"),
        ("wört9", "wört9".encode().decode("latin-1")),
        ("wört9", "wo\u0308rt9"),
        ("wo\u0308rt9", "wört9"),
        ("  padded-key \n", "padded-key"),
        (TOKEN, TOKEN.encode().hex()),
        (TOKEN, TOKEN.encode().hex().upper()),
        ("abc%41%42xyz", "abc%2541%2542xyz"),
        ("€%63", json.dumps("€%63")[1:-1]),
        ("ke%FFy", "ke%25FFy"),
        (f"ke%{'25' * 20}y", f"ke%{'25' * 21}y"),
    ],
)
def test_every_written_form_is_masked_whole(secret, text):
    assert Redactor([secret]).text(f"a {text} b") == f"a {MASK} b"


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", ["", "u", "us", "use"])
@pytest.mark.parametrize("after", ["", "x", "xy", "xyz"])
@pytest.mark.parametrize("secret", ["1234", TOKEN, "~~~???>>>", "wört9", "\xff\xfe\xfd\xfc"])
def test_base64_is_masked_at_every_alignment(secret, before, after, encode):
    encoded = encode(f"{before}{secret}{after}".encode()).decode()
    masked = Redactor([secret]).text(f'"{encoded}"')
    assert MASK in masked
    # What is left has no more bits than the surroundings.
    left = masked.replace(MASK, "").strip('"=')
    assert len(left) <= (len(before) + len(after)) * 4 / 3 + 1


def test_basic_header_keeps_the_user_and_hides_the_password():
    header = f"Basic {b64('shop:' + TOKEN)}"
    assert Redactor([TOKEN]).text(header) == "Basic c2hvcD***"


def test_base64_of_latin_1_and_of_json_is_masked():
    redactor = Redactor(["wört9"])
    assert MASK in redactor.text(base64.b64encode("u:wört9".encode("latin-1")).decode())
    assert MASK in redactor.text(b64(json.dumps({"key": "wört9"})))


def test_base64_inside_a_url_is_masked():
    text = quote(b64(f"abc{TOKEN}??"), safe="")
    assert MASK in Redactor([TOKEN]).text(f"https://shop.example.com/?cursor={text}")


def test_base64_of_something_else_is_kept():
    redactor = Redactor(["1234"])
    for value in ("12", "123", "1324", "21234"[1:4], "abcdefgh"):
        assert redactor.text(b64(value)) == b64(value)


def test_base64_core_at_the_edges_of_the_text_is_no_hit():
    for offset in range(3):
        encoded = b64("x" * offset + "1234" + "y" * 3)
        redactor = Redactor(["1234"])
        first = (8 * offset + 5) // 6
        assert redactor.text(encoded[first : first + 4]) == encoded[first : first + 4]


def test_mask_tells_nothing_about_the_length():
    short, long = Redactor(["abcd"]), Redactor(["abcd" * 50])
    assert short.text("x abcd y") == long.text(f"x {'abcd' * 50} y") == f"x {MASK} y"
    assert short.text(b64("abcd")) == MASK


def test_longer_secret_wins_and_overlapping_ones_leave_nothing():
    redactor = Redactor(["abcd", "abcdefgh", "ghijk"])
    assert redactor.text("-abcdefgh-") == f"-{MASK}-"
    assert redactor.text("-abcdefghijk-") == f"-{MASK}-"
    assert redactor.text("-abcdghijk-") == f"-{MASK}-"
    assert Redactor(["aaaa"]).text("-aaaaaaa-") == f"-{MASK}-"


def test_mask_that_completes_another_secret_is_masked_again():
    assert Redactor(["a***", "wxyz"]).text("awxyz") == MASK


@pytest.mark.parametrize("value", ["", "abc", "    ", "\n\n\n\n\n"])
def test_short_and_blank_values_are_not_searched_for(value):
    redactor = Redactor([value])
    assert redactor.text(f"x {value} y") == f"x {value} y"
    assert repr(redactor) == "Redactor(0 values)"


def test_long_lines_of_a_key_are_masked_one_by_one():
    lines = [
        "-----BEGIN PRIVATE KEY-----",
        "MIIEvQIBADANBgkqhkiG9w0BAQEF",
        "AASCBKcwggSjAgEAAoIBAQC7VJTU",
    ]
    redactor = Redactor(["\n".join([*lines, "-----END PRIVATE KEY-----"])])
    assert redactor.text(lines[1]) == MASK
    assert redactor.text(f"{lines[1]}\r\n  {lines[2]}") == f"{MASK}\r\n  {MASK}"
    assert redactor.text(lines[0]) == lines[0]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("https://user:pa55@shop.example.com/x", "https://user:***@shop.example.com/x"),
        ("postgresql://tm:p@ss@db/tm", "postgresql://tm:***@db/tm"),
        ("see http://:pw@h and ftp://a:b@c", "see http://:***@h and ftp://a:***@c"),
        ("https%3A%2F%2Fuser%3Apa55%40shop", "https%3A%2F%2Fuser%3A***%40shop"),
        ('"https:\\/\\/user:pa55@shop"', '"https:\\/\\/user:***@shop"'),
    ],
)
def test_password_in_a_url_is_masked_without_being_known(text, masked):
    assert Redactor().text(text) == masked
    assert Redactor([TOKEN]).text(text) == masked
    assert Redactor().text(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "https://user@shop.example.com/",
        "https://shop.example.com:8443/a?mail=a@b.example",
        '{"url": "https://shop:8443", "mail": "a@b.example"}',
        "https://user:${SHOP_PASSWORD}@shop.example.com/",
        "a@b.example",
        "100% & more \\ and 'quotes'",
        "%zz \\q &nosuchname; &#xFFFFFFF; %C3%28 %ff",
        "",
    ],
)
def test_other_texts_are_not_touched(text):
    assert Redactor().text(text) == text
    assert Redactor([TOKEN, "1234", PASSWORD]).text(text) == text


def test_json_masks_keys_and_strings_and_keeps_everything_else():
    value = {
        f"x {TOKEN}": [TOKEN, 1, 2.5, True, None, {"deep": ({"a": f"{TOKEN}!"},)}],
        "n": 10**30,
        5: "five",
    }
    assert Redactor([TOKEN]).json(value) == {
        f"x {MASK}": [MASK, 1, 2.5, True, None, {"deep": [{"a": f"{MASK}!"}]}],
        "n": 10**30,
        5: "five",
    }


def test_json_gives_a_copy_and_leaves_the_original():
    value = {"a": [TOKEN], "b": {"c": 1}}
    copy = Redactor([TOKEN]).json(value)
    assert value == {"a": [TOKEN], "b": {"c": 1}}
    assert copy["b"] is not value["b"]


def test_json_keys_that_become_equal_lose_no_entry():
    value = {"aaaa1": 1, "bbbb2": 2, MASK: 3, "cccc3": 4}
    masked = Redactor(["aaaa1", "bbbb2", "cccc3"]).json(value)
    assert masked == {MASK: 1, f"{MASK} 2": 2, f"{MASK} 3": 3, f"{MASK} 4": 4}


def test_json_of_any_depth_is_masked():
    value: list = [TOKEN]
    for _ in range(50_000):
        value = [value]
    masked = Redactor([TOKEN]).json(value)
    while masked != [MASK]:
        (masked,) = masked


@pytest.mark.parametrize("number", [48151623, -48151623, 48151623.0])
def test_number_that_is_a_secrets_digits_is_masked(number):
    assert Redactor(["48151623"]).json([number]) == [MASK]


@pytest.mark.parametrize(
    ("secret", "number"),
    [("48151623", 481516230), ("00001", 1), ("9" * 60, int("9" * 60)), ("٤٨١٥١٦", 481516)],
)
def test_other_numbers_keep_their_type(secret, number):
    assert Redactor([secret]).json({"n": number}) == {"n": number}


def test_scalars_are_json_too():
    redactor = Redactor([TOKEN])
    assert redactor.json(TOKEN) == MASK
    assert redactor.json(None) is None


def test_repr_and_str_show_no_secret():
    redactor = Redactor([TOKEN, GEO, TOKEN])
    assert repr(redactor) == str(redactor) == "Redactor(2 values)"


def test_value_added_later_is_masked_from_then_on():
    redactor = Redactor()
    assert redactor.text(TOKEN) == TOKEN
    redactor.add(TOKEN)
    redactor.add(TOKEN)
    assert redactor.text(TOKEN) == MASK


def test_values_added_by_many_threads_are_all_kept():
    redactor = Redactor()
    values = [[f"secret-{thread}-{n}" for n in range(20)] for thread in range(8)]
    threads = [Thread(target=lambda some=some: [redactor.add(v) for v in some]) for some in values]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert repr(redactor) == "Redactor(160 values)"
    assert {redactor.text(value) for some in values for value in some} == {MASK}
