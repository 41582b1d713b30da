"""The servers of the end-to-end tests: started once for all of them, stopped at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.e2e.erp_server import Erp, running_erp
from tests.e2e.httpbin_server import running_httpbin
from tests.e2e.model_servers import running_llama, running_llmock

E2E = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark this folder's tests, and let one worker run them, so that one set of servers does."""
    for item in items:
        if item.path.is_relative_to(E2E):
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.xdist_group("e2e"))


@pytest.fixture(scope="session")
def erp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Erp]:
    """Yield a running ERP that all tests share: they find their own records by name."""
    with running_erp(tmp_path_factory.mktemp("erp")) as server:
        yield server


@pytest.fixture
def fresh_erp(tmp_path: Path) -> Callable[[], AbstractContextManager[Erp]]:
    """Return a function that starts an ERP of the test's own, with the demo shop untouched."""
    return lambda: running_erp(tmp_path / "erp")


@pytest.fixture(scope="session")
def httpbin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the base URL of a running httpbin."""
    with running_httpbin(tmp_path_factory.mktemp("httpbin")) as url:
        yield url


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the base URL of llama.cpp's server with a small model."""
    with running_llama(tmp_path_factory.mktemp("llama")) as url:
        yield url


@pytest.fixture
def llmock(tmp_path: Path) -> Iterator[str]:
    """Yield the address of a scripted model server of the test's own."""
    with running_llmock(tmp_path) as address:
        yield address
