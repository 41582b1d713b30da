"""Asks git what changed since a ref: fixed words, no shell, and names as git stores them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tm.errors import UsageError

TIMEOUT_S: Final = 60
_PLACES: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
_OPTIONS: Final = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")


class Git:
    """The repository that a workspace is in.

    Args:
        root: of the workspace; may be a subfolder of the repository.
        environ: of the process.
        asked_by: the word of the command line that needs git, for errors.
    """

    def __init__(
        self, root: Path, environ: Mapping[str, str], *, asked_by: str = "--since"
    ) -> None:
        self._root = root
        self._asked_by = asked_by
        # Hooks are given these relative to the top, which is not where git is started here.
        kept = {
            name: value
            for name, value in environ.items()
            if name not in _PLACES or os.path.isabs(value)  # noqa: PTH117  a text
        }
        self._environ = {**kept, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}

    def commit(self, ref: str) -> str:
        """Return the full id of the commit that a ref names.

        Raises:
            UsageError: TM500 where there is none, or no repository, or no git.
        """
        done = self._run("rev-parse", "--is-inside-work-tree")
        if done.returncode or done.stdout.strip() != b"true":
            raise UsageError(
                f"{self._asked_by} needs a git repository, and the workspace is in none",
                code="TM500",
                hint="git init makes one; it compares with what was committed",
            )
        done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", ref + "^{commit}")
        if done.returncode:
            raise UsageError(
                f"{self._asked_by}: git knows no commit {ref!a:.80}",
                code="TM500",
                hint="git log --oneline shows commits; a shallow clone in CI has few of them",
            )
        return done.stdout.decode("ascii").strip()

    def changed(self, commit: str) -> set[str]:
        """Return the files that differ from a commit, deleted and untracked ones too.

        Paths are relative to the root; those outside of it are left out.
        """
        diff = self._output(
            "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", commit,
            "--", ".",
        )  # fmt: skip
        new = self._output("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
        return {os.fsdecode(name) for name in (diff + new).split(b"\0") if name}

    def files(self, commit: str, folder: str) -> list[str]:
        """Return the plain files that a folder held in a commit, relative to the root."""
        listed = self._output("ls-tree", "-r", "-z", commit, "--", folder)
        rows = (row.partition(b"\t") for row in listed.split(b"\0") if row)
        # The mode of a plain file begins with 100; links and other repositories have their own.
        return [os.fsdecode(name) for head, _, name in rows if head.startswith(b"100")]

    def contents(self, commit: str, paths: Iterable[str]) -> dict[str, bytes]:
        """Return what files held in a commit; those that it did not have are left out."""
        # The protocol has one name a line: a name with a newline can't be asked for.
        asked = [path for path in paths if "\n" not in path]
        words = b"".join(os.fsencode(f"{commit}:./{path}") + b"\n" for path in asked)
        output = self._output("cat-file", "--batch", stdin=words) if asked else b""
        found: dict[str, bytes] = {}
        position = 0
        for path in asked:
            head, _, _ = output[position:].partition(b"\n")
            position += len(head) + 1
            fields = head.rsplit(b" ", 2)
            if len(fields) == 3 and fields[1] == b"blob":
                size = int(fields[2])
                found[path] = output[position : position + size]
                position += size + 1
            elif not head.endswith((b" missing", b" ambiguous")):
                position += int(fields[-1]) + 1  # a folder once had this name
        return found

    def _output(self, *words: str, stdin: bytes = b"") -> bytes:
        done = self._run(*words, stdin=stdin)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
            raise UsageError(f"{self._asked_by}: git {words[0]} failed: {said:.200}", code="TM500")
        return done.stdout

    def _run(self, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(  # noqa: S603  fixed words, no shell
                ["git", *_OPTIONS, "-C", str(self._root), *words],  # noqa: S607  git of the PATH
                input=stdin,
                capture_output=True,
                env=self._environ,
                timeout=TIMEOUT_S,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            message = f"{self._asked_by} needs git, which can't be run here"
            raise UsageError(message, code="TM500") from error
