"""Run every check of the project in order, the tests last: `python -m tests`.

Arguments go to pytest: `python -m tests -k replay`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
CHECKS = {
    "ruff check": [sys.executable, "-m", "ruff", "check", "--quiet"],
    "ruff format": [sys.executable, "-m", "ruff", "format", "--check", "--quiet"],
    "mypy": [sys.executable, "-m", "mypy", "--no-error-summary"],
    "import-linter": [str(BIN / "lint-imports"), "--no-cache"],
}
TESTS = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup"]
COVERAGE = ["--cov", "--cov-report", "term"]


def passes(name: str, argv: list[str]) -> bool:
    """Run one check in the project's folder and say whether it passed."""
    print(f"== {name}", flush=True)
    return subprocess.run(argv, cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode == 0


def main(pytest_args: list[str]) -> int:
    """Run all checks, also after one failed; return the exit code."""
    failed = [name for name, argv in CHECKS.items() if not passes(name, argv)]
    # A part of the tests can't reach the coverage that all of them must have.
    tests = [*TESTS, *(pytest_args or COVERAGE)]
    if not passes("pytest", tests):
        failed.append("pytest")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
