"""Paths that stay inside one folder, by descriptor: the only path guard.

What lives here: checks of a path's text, opening beneath a folder without following links, whole
and atomic writes, listing. What must not: knowing which folder is whose.
"""

from __future__ import annotations

from tm.confine.descend import MissingPathError, make_folders, open_folder
from tm.confine.files import create_file, open_beneath, read_bytes, write_atomic
from tm.confine.machine import machine_reason
from tm.confine.text import MAX_SEGMENT_BYTES, MAX_SEGMENTS, OUTSIDE, check_path

__all__ = [
    "MAX_SEGMENTS",
    "MAX_SEGMENT_BYTES",
    "OUTSIDE",
    "MissingPathError",
    "check_path",
    "create_file",
    "machine_reason",
    "make_folders",
    "open_beneath",
    "open_folder",
    "read_bytes",
    "write_atomic",
]
