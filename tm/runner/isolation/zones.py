"""Reads time zones for workers, which can open no file."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Final

# No dots: a key never climbs out of its folder.
_KEY: Final = re.compile(r"[A-Za-z0-9_+-]{1,40}(/[A-Za-z0-9_+-]{1,40}){0,3}")


def zone_data(key: str) -> bytes | None:
    """Return the data of a time zone: the system's, else that of the package tzdata.

    None for a key that neither has.
    """
    import zoneinfo  # noqa: PLC0415  few functions ask for one

    if not _KEY.fullmatch(key):
        return None
    for folder in zoneinfo.TZPATH:
        path = Path(folder, key)
        if path.is_file():
            return path.read_bytes()
    try:
        found = resources.files("tzdata").joinpath("zoneinfo", *key.split("/"))
        return found.read_bytes() if found.is_file() else None
    except ModuleNotFoundError:
        return None
