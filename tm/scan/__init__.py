"""The scan: Python source of a tenant to hits, before anything of it runs.

What lives here: the policy and the scanner. What must not: running or importing tenant code.
"""

from __future__ import annotations

from tm.scan.hits import Hit, Scan
from tm.scan.scanner import scan_source
from tm.scan.signature import check_signature

__all__ = ["Hit", "Scan", "check_signature", "scan_source"]
