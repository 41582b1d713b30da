"""The config files of a workspace as a commit holds them, in a folder of their own.

What lives here: files out of git. What must not: comparing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tm.config.discover import CONFIG_ENDINGS
from tm.config.git import Git
from tm.confine import create_file
from tm.errors import SecurityError

_TENANTS: Final = "tenants"


def check_out_config(git: Git, commit: str, into: Path) -> list[str]:
    """Write the config files of a commit below a folder; links and other files stay out.

    Args:
        git: of the workspace.
        commit: full id.
        into: an empty folder; gets `tenants/`, as the workspace has it.

    Returns:
        Paths that are not there, since their names are none that a tenant's file can have.
    """
    paths = [path for path in git.files(commit, _TENANTS) if path.endswith(CONFIG_ENDINGS)]
    (into / _TENANTS).mkdir()
    left_out = []
    for path, data in git.contents(commit, paths).items():
        try:
            create_file(into, path, data)
        except SecurityError:
            left_out.append(path)
    return left_out
