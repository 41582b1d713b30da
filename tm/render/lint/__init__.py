"""A lint report in each format: one module for one format, chosen here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from tm.lint.report import LintReport

FORMATS: Final = ("text", "json", "github", "gitlab", "sarif", "junit")

_MODULES: Final = {
    "json": "tm.render.lint.plain_json",
    "github": "tm.render.lint.github",
    "gitlab": "tm.render.lint.gitlab",
    "sarif": "tm.render.lint.sarif",
    "junit": "tm.render.lint.junit",
}


def render_report(name: str, report: LintReport, prefix: str) -> str:
    """Return a report in a format other than text, with a newline at its end.

    Args:
        name: one of FORMATS but `text`, whose lines have colours.
        prefix: of the workspace in its checkout, empty or with a `/` at its end: platforms count
            paths from there.
    """
    render: Callable[[LintReport, str], str] = import_module(_MODULES[name]).render
    return render(report, prefix)


def checkout_prefix(root: str, environ: Mapping[str, str]) -> str:
    """Return where the workspace is in the checkout of the CI system that runs this.

    Args:
        root: absolute path of the workspace.
        environ: of the process.
    """
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        top = environ.get(name, "").rstrip("/")
        if top.startswith("/") and root.startswith(top + "/"):
            return root[len(top) + 1 :] + "/"
    return ""
