"""Codecs whose modules a worker can't open any more, kept as code."""

from __future__ import annotations

import encodings
import importlib.util
import marshal
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourcelessFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

_HEADER_BYTES: Final = 16  # of a .pyc file, see PEP 552


class HeldCodecs(SourcelessFileLoader):
    """Finds the modules of `encodings` in memory.

    Loading all of them would cost every fork server 40 ms, for code that most never use. The base
    class is a part of the interpreter: `importlib.abc` would cost 12 ms.
    """

    def __init__(self, held: dict[str, bytes]) -> None:
        super().__init__("encodings", "")
        self._held = held

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for a codec that is held, or None."""
        return ModuleSpec(name, self) if name in self._held else None

    def get_source(self, fullname: str) -> None:
        """Return None: there is code alone."""

    def get_code(self, fullname: str) -> CodeType:
        """Return a codec's code."""
        code: CodeType = marshal.loads(self._held[fullname])  # noqa: S302  of the Python that runs this
        return code


def hold_codecs() -> HeldCodecs:
    """Read the code of all codecs that are not loaded yet, and let them be imported from it."""
    held = {}
    for path in Path(encodings.__file__).parent.glob("*.py"):
        name = f"encodings.{path.stem}"
        cached = Path(importlib.util.cache_from_source(str(path)))
        if name not in sys.modules and path.stem != "__init__" and cached.is_file():
            held[name] = cached.read_bytes()[_HEADER_BYTES:]
    finder = HeldCodecs(held)
    sys.meta_path.insert(0, finder)
    return finder
