"""Which files go to a worker with a tool."""

import pytest

from tests.tenant_functions import Workshop, handler
from tm.errors import ConfigError
from tm.runner.isolation.shipping import Shipper
from tm.runner.sources import SourceFiles


@pytest.fixture
def shop(tmp_path):
    return Workshop(tmp_path)


def ship(shop):
    return Shipper(SourceFiles(shop.root)).ship([shop.ref()])


def test_files_go_with_all_that_they_import(shop):
    shop.write("acme/lib/money.py", "import decimal\nONE = decimal.Decimal(1)\n")
    shop.write("acme/b.py", "from .lib.money import ONE\nfrom .a import RATE\n")
    shop.write("acme/other.py", "X = 1\n")
    top = "import re\nfrom collections import Counter\nRATE = 1"
    shop.write("acme/a.py", handler("from .b import ONE\nreturn ONE", top))
    shipment = ship(shop)
    assert sorted(shipment.files) == [
        "tenants/acme/a.py", "tenants/acme/b.py", "tenants/acme/lib/money.py",
    ]  # fmt: skip
    assert {"re", "collections", "decimal"} <= shipment.modules


def test_import_that_can_not_be_used_has_its_error(shop):
    shop.write("acme/bad.py", "import os\n")
    shop.write("acme/a.py", handler("from .bad import x\nfrom .gone import y\nreturn x, y"))
    files = ship(shop).files
    assert files["tenants/acme/bad.py"]["error"]["code"] == "TM306"
    assert files["tenants/acme/gone.py"]["error"]["code"] == "TM117"


def test_unchanged_file_is_packed_once(shop):
    shop.write("acme/a.py", handler("return 1"))
    shipper = Shipper(SourceFiles(shop.root))
    first, second = (shipper.ship([shop.ref(), shop.ref()]).files for _ in range(2))
    assert first["tenants/acme/a.py"] is second["tenants/acme/a.py"]


def test_missing_file_of_the_tool_itself_is_an_error(shop):
    with pytest.raises(ConfigError, match="no file"):
        ship(shop)
