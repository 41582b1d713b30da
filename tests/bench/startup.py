"""Start-up, and one run of one tool, against a bare Python and the three-word httpx script."""

from pathlib import Path

from tests.bench.measure import Command, medians, python, report, tm
from tests.bench.workspaces import answering_server, make_workspace


def measure_startup(folder: Path) -> None:
    """`tm --version` and `tm --help`, in starts of Python."""
    floor, version, usage = medians(
        Command(python("pass"), folder),
        Command(tm("--version"), folder),
        Command(tm("--help"), folder),
    )
    report("tm --version", version, floor, 2, "starts of Python")
    report("tm --help", usage, floor, 7, "starts of Python")


def measure_one_run(folder: Path) -> None:
    """One GET among 1,000 tools, piped and on a terminal, and a stubbed POST."""
    with answering_server() as url:
        root = make_workspace(folder, url, 1000)
        script = f"import httpx; print(httpx.get('{url}/invoices/1').json())"
        words = tm("test-tool", "getInvoice500")
        floor, peer, piped, terminal, stub = medians(
            Command(python("pass"), root),
            Command(python(script), root),
            Command(words, root),
            Command(words, root, on_terminal=True),
            Command(tm("test-tool", "createOffer", "--dry-run"), root),
        )
    report("test-tool, one GET, 1,000 tools, piped", piped, peer, 1.1, "httpx.get scripts")
    report("the same", piped, floor, 13, "starts of Python")
    report(
        "test-tool, one GET, 1,000 tools, on a terminal", terminal, floor, 17, "starts of Python"
    )
    report("test-tool --dry-run of a POST", stub, floor, 9, "starts of Python")
