"""Tryton, a real ERP, with the demo shop's data, from its packages.

The database is made once and copied for each server, so every server begins with the same records
and the same next ids.
"""

from __future__ import annotations

import json
import shutil
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e import cache
from tests.e2e.process import free_port, running

REQUIREMENTS = (
    "trytond==8.2.1",
    "trytond_party==8.2.0",
    "trytond_product==8.2.0",
    "trytond_account==8.2.1",
    "trytond_account_invoice==8.2.0",
    "proteus==8.2.0",
)
CONFIG = "[database]\nuri = sqlite://\npath = {folder}\n[web]\nlisten = 127.0.0.1:{port}\n"
COMPANY = "eyJjb21wYW55IjogMX0="
"""The header X-Tryton-Context that puts a request into the first company: {"company": 1}."""
FILL = Path(__file__).with_name("erp_shop.py")


@dataclass(frozen=True)
class Erp:
    """A running ERP.

    Attributes:
        url: of its REST interface, as the demo tenant's ERP_URL wants it.
        key: the demo tenant's ERP_KEY.
    """

    url: str
    key: str

    @property
    def env(self) -> dict[str, str]:
        """The two variables that the demo tenant needs for --live."""
        return {"ERP_URL": self.url, "ERP_KEY": self.key}

    def records(self, model: str, *fields: str) -> list[dict[str, Any]]:
        """Return every record of a model, read past tm."""
        query = "&".join(f"f={field}" for field in fields)
        request = urllib.request.Request(
            f"{self.url}/model/{model}?{query}",
            headers={"Authorization": f"bearer {self.key}", "X-Tryton-Context": COMPANY},
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def customer_names(self) -> set[str]:
        """Return the names of all parties."""
        return {party["name"] for party in self.records("party.party", "name")}


def _make_database(bin_folder: Path, folder: Path) -> None:
    config, password = folder / "trytond.conf", folder / "password"
    config.write_text(CONFIG.format(folder=folder, port=0))
    password.write_text("only-for-tests-1!")
    (folder / "erp.sqlite").touch()  # Tryton fills a database only where its file is there
    admin = [str(bin_folder / "trytond-admin"), "-c", str(config), "-d", "erp"]
    admin += ["-u", "party", "account_invoice", "--activate-dependencies"]
    admin += ["--email", "admin@shop.example"]
    cache.run(admin, "make Tryton's database", TRYTONPASSFILE=str(password))
    key = cache.run(
        [str(bin_folder / "python"), str(FILL), str(config)], "fill Tryton with the demo shop"
    )
    (folder / "key").write_text(key.split()[-1])


@contextmanager
def running_erp(work: Path) -> Iterator[Erp]:
    """Run Tryton on a fresh copy of the demo shop while the block lasts.

    Raises:
        ServerSetupError: it could not be installed, filled or started.
    """
    bin_folder = cache.environment("tryton", REQUIREMENTS)
    name = f"tryton-db-{cache.key_of(*REQUIREMENTS, FILL.read_bytes())}"
    template = cache.made_once(name, lambda folder: _make_database(bin_folder, folder))
    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(template / "erp.sqlite", work / "erp.sqlite")
    port = free_port()
    config = work / "trytond.conf"
    config.write_text(CONFIG.format(folder=work, port=port))
    argv = [str(bin_folder / "trytond"), "-c", str(config), "-d", "erp"]
    # Tryton collects fields in sets: a fixed seed keeps their order from one recording to the next.
    with running(argv, port, work / "trytond.log", env={"PYTHONHASHSEED": "0"}):
        yield Erp(f"http://127.0.0.1:{port}/erp/rest", (template / "key").read_text())
