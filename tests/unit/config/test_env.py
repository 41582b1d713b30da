"""Variables come from the environment, the tenant's .env, the root's .env; secrets are known."""

from __future__ import annotations

import pytest

from tm.config.env import SecretSource, read_env, read_env_file, stray_lines
from tm.errors import Location, ToolError
from tm.model import Api
from tm.records import replace

AT = Location("tenants/acme/erp.yaml", 3, 5)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=x", "x"),
        ("  A = x  ", "x"),
        ("export A=x", "x"),
        ("A=", ""),
        ("A=x # comment", "x"),
        ("A=x#y", "x#y"),
        ("A=# comment", ""),
        ("A='x # y'", "x # y"),
        ("A='x' # c", "x"),
        ('A="x # y" # c', "x # y"),
        ('A="a\\nb\\t\\"q\\" \\\\ \\z"', 'a\nb\t"q" \\ \\z'),
        ("A='a\\nb'", "a\\nb"),
        ("A=$HOME/${B}", "$HOME/${B}"),
        ("A=x=y", "x=y"),
        ("A='open", "'open"),
        ('A="open', '"open'),
        ("\ufeffA=x\r", "x"),
        ("A=1\nA=2", "2"),
    ],
)
def test_reads_env_lines(line, value):
    assert read_env(line)["A"] == value


@pytest.mark.parametrize("line", ["# A=x", "   # A=x", "A", "1A=x", "=x", "A B=x", ""])
def test_lines_that_are_none_are_left_out(line):
    assert read_env(line) == {}


def test_env_file_is_read_and_a_link_is_not(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / ".env").write_bytes(b"\xef\xbb\xbfKEY=v\r\n")
    (tmp_path / "b" / ".env").symlink_to("../a/.env")
    assert read_env_file(tmp_path / "a") == {"KEY": "v"}
    assert read_env_file(tmp_path / "b") == {}
    assert read_env_file(tmp_path) == {}


def test_unreadable_env_file_counts_as_none(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("A=1")

    def fail(*_args, **_kwargs):
        raise PermissionError

    monkeypatch.setattr("os.read", fail)
    assert read_env_file(tmp_path) == {}


def source() -> SecretSource:
    return SecretSource(
        {"A": "env"}, {"A": "own", "B": "own"}, {"B": "root", "C_TOKEN": "root"}, tenant="acme"
    )


def test_first_source_wins():
    variables = source()
    assert [variables.get(name) for name in ("A", "B", "C_TOKEN", "D")] == [
        "env",
        "own",
        "root",
        None,
    ]
    assert variables.names == {"A", "B", "C_TOKEN"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x", "x"),
        ("${A}", "env"),
        ("a${A}b${B}", "aenvbown"),
        ("$A", "$A"),
        ("$$", "$$"),
        ("{A}", "{A}"),
    ],
)
def test_fills_in(text, value):
    assert source().expand(text, AT) == value


def test_values_are_not_searched_again():
    assert SecretSource({"A": "${B}", "B": "x"}, {}, {}).expand("${A}", AT) == "${B}"


def test_missing_variable_is_named_with_its_place():
    with pytest.raises(ToolError) as caught:
        source().expand("Bearer ${C_TOKN}", AT)
    error = caught.value
    assert (error.code, error.at) == ("TM503", AT)
    assert "C_TOKN" in error.message
    assert "'C_TOKEN'" in error.message
    assert "tenants/acme/.env" in error.hint


def test_lines_that_are_no_variables_are_named_and_not_shown(tmp_path):
    (tmp_path / ".env").write_text("# shop\n\nSHOP TOKEN hunter2\nA=1\nbare\n")
    found = stray_lines(tmp_path, "tenants/acme/.env")
    assert found == [Location("tenants/acme/.env", 3), Location("tenants/acme/.env", 5)]
    assert stray_lines(tmp_path / "none", ".env") == []
    with pytest.raises(ToolError) as caught:
        SecretSource({}, {}, {}, tenant="acme", stray=lambda: found).expand("${SHOP_TOKEN}", AT)
    hint = caught.value.hint
    assert hint.startswith("tenants/acme/.env:3, tenants/acme/.env:5 are no NAME=VALUE; set SHOP")


@pytest.mark.parametrize("text", ["${", "${}", "${A", "${A B}", "${1}", "${A:-x}"])
def test_malformed_variable_is_never_sent(text):
    with pytest.raises(ToolError) as caught:
        source().expand(text, AT)
    assert caught.value.code == "TM503"


def api(**fields) -> Api:
    declared = {"base_url": "https://x.example.com/${BASE}", **fields}
    return Api("erp", "acme", AT, declared["base_url"], declared=declared)


VARIABLES = {
    "BASE": "base-value", "TOK": "tok-value", "USER": "user-value", "H": "header-value",
    "MY_API_KEY": "key-value", "db_password": "pw-value", "PLAIN": "plain-value", "EMPTY_TOKEN": "",
}  # fmt: skip


def secret_values(*declared) -> set[str]:
    return SecretSource(VARIABLES, {}, {}).secret_values(*declared)


def test_variables_that_say_secret_are_secret():
    assert secret_values() == {"key-value", "pw-value"}


def test_what_fills_auth_headers_and_api_key_is_secret():
    found = secret_values(
        api(auth={"type": "basic", "username": "${USER}", "password": "pre-${TOK}"},
            headers={"X-A": "${H}", "Accept-Language": "de"}),
        {"base_url": "${PLAIN}", "api_key": "${BASE}"},
    )  # fmt: skip
    assert found >= {"user-value", "tok-value", "pre-tok-value", "header-value", "base-value"}
    assert not found & {"de", "basic", "plain-value"}


def test_base_url_is_not_secret():
    assert "base-value" not in secret_values(api())


@pytest.mark.parametrize(
    ("base_url", "value", "is_secret"),
    [
        ("${KEYCLOAK_URL}", "https://sso.example/kc", False),
        ("${KEYCLOAK_URL}/v1", "http://sso.example:8080", False),
        ("${KEYCLOAK_URL}", "https://me:pass@sso.example", True),
        ("${KEYCLOAK_URL}", "https://sso.example/?k=1", True),
        ("https://bot.example/bot${KEYCLOAK_URL}", "https://x", True),
        ("${KEYCLOAK_URL}.example", "sso", True),
    ],
)
def test_variable_that_is_an_address_is_no_secret_whatever_its_name(base_url, value, is_secret):
    source = SecretSource({"KEYCLOAK_URL": value}, {}, {})
    declared = replace(api(), base_url=base_url)
    assert (value in source.secret_values(declared)) is is_secret


def test_address_that_fills_a_header_too_is_secret():
    source = SecretSource({"KEY_URL": "https://a.example"}, {}, {})
    declared = replace(api(headers={"X-From": "${KEY_URL}"}), base_url="${KEY_URL}")
    assert "https://a.example" in source.secret_values(declared)


def test_values_in_are_those_of_what_is_given_alone():
    source = SecretSource({"A_KEY": "key-value", "B": "b-value"}, {}, {})
    assert source.values_in({"headers": {"X-B": "${B}"}}) == {"b-value"}


def test_written_out_secrets_are_secret_too():
    found = secret_values(
        api(auth={"type": "header", "name": "X-Key", "value": "abcdef"},
            headers={"Authorization": "Bearer q", "X-Api-Key": "zzz", "Accept": "text/csv"}),
        {"headers": {"X-Token": {"value": "const"}, "Depth": {"value": 5}}},
    )  # fmt: skip
    assert found >= {"abcdef", "Bearer q", "zzz", "const"}
    assert not found & {"X-Key", "text/csv", "header"}


def test_oauth_secrets():
    found = secret_values(api(auth={
        "type": "oauth2_client_credentials", "token_url": "https://x/${BASE}", "client_id": "id",
        "client_secret": "cs", "scope": "all", "ttl": 5,
    }))  # fmt: skip
    assert "cs" in found
    assert not found & {"all", "https://x/base-value", "id"}


def test_names_of_secret_values():
    names = SecretSource(VARIABLES, {}, {}).secret_names(
        api(auth={"type": "bearer", "token": "${TOK}"})
    )
    assert names["tok-value"] == "TOK"
    assert names["key-value"] == "MY_API_KEY"
    assert "" not in names
