"""FILE:FUNCTION names a function of the same home, or is an error."""

from __future__ import annotations

import pytest

from tm.config.references import read_reference
from tm.errors import ConfigError, Location

SOURCE = "tenants/acme/tools/erp/x.yaml"
AT = Location(SOURCE, 3, 5)


def read(text: object):
    return read_reference(text, "handler", SOURCE, "acme", AT)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("f.py:go", "tenants/acme/tools/erp/f.py"),
        ("./f.py:go", "tenants/acme/tools/erp/f.py"),
        ("lib/f.py:go", "tenants/acme/tools/erp/lib/f.py"),
        ("../f.py:go", "tenants/acme/tools/f.py"),
        ("../../f.py:go", "tenants/acme/f.py"),
        ("../crm/f.py:go", "tenants/acme/tools/crm/f.py"),
        ("preis größe.py:go", "tenants/acme/tools/erp/preis größe.py"),
    ],
)
def test_is_relative_to_the_naming_file(text, path):
    ref = read(text)
    assert (ref.home, ref.path, ref.name, ref.at) == ("acme", path, "go", AT)


@pytest.mark.parametrize(
    "text",
    [
        "../../../nord/f.py:go",
        "../../../acme/f.py:go",
        "/etc/f.py:go",
        "a\\f.py:go",
        "C:/f.py:go",
        "../../files/f.py:go",
        "../../_backups/f.py:go",
        "a\0.py:go",
    ],
)
def test_never_leaves_the_home(text):
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert (caught.value.code, caught.value.at) == ("TM312", AT)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f.py",
        "f.py:",
        ":go",
        "f.txt:go",
        "f.py:a.b",
        "f.py:1a",
        "f.py:go()",
        5,
        None,
        ["f.py:go"],
        "f.py: go",
    ],
)
def test_malformed_text_is_tm117(text):
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert caught.value.code == "TM117"
