"""The project's own black-box cases: `tests/conformance/<area>/<behaviour>.yaml`."""

from __future__ import annotations

import pytest

from tests.conformance.runner import CASES, case_files, run_case
from tests.conftest import COMMAND

pytestmark = pytest.mark.conformance


@pytest.mark.parametrize("path", case_files(), ids=lambda p: p.relative_to(CASES).as_posix()[:-5])
def test_case_behaves_as_written(path, tmp_path):
    assert run_case(path, tmp_path, COMMAND) == []
