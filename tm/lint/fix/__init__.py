"""What `tm lint --fix` changes, as bytes; only `write_fixes` touches files.

Every fix is an edit of the places it is about; all other bytes stay as they are. After an edit
the file is read again, and where it does not say what it should, the fix is not made.
"""

from __future__ import annotations

from tm.lint.fix.fixer import Fixes, Left, fix_files, fix_until_done, with_files
from tm.lint.fix.writing import write_fixes

__all__ = ["Fixes", "Left", "fix_files", "fix_until_done", "with_files", "write_fixes"]
