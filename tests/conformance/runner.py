"""Runs black-box cases against the real `tm`.

A case is a YAML file with `id`, `why` and

    files: {PATH: TEXT}     the workspace; @SERVER@ and @OTHER@ are two loopback servers,
                            @ROOT@ the folder
    binary: {PATH: BASE64}  links: {PATH: TARGET}  env: {NAME: VALUE or null}
    server, other: [{method, path, raw, query, headers, json, text,
                     reply: {status, json, text, base64, repeat, headers, delay, drop, times}}]
    steps: each one command:
        run: a line or a list of words    cwd, stdin, timeout (seconds)
        exit: a code or a list of them; 0 where it is not said
        json: what stdout holds           stdout, stderr, output: {has, lacks, re}
        requests, requests_any, request_count: what reached the server
        files: {PATH: {has, lacks, absent, json}}    other_count, other_lacks_headers
        save: {NAME: "a.b.0"}             @NAME@ stands for it in later steps
        max_seconds: not looked at, since a busy machine is no fault

`python -m tests.conformance.runner [WORD]` runs those whose path has the word.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.conformance.loopback import Loopback, lower_headers, serving
from tests.conformance.matching import differences, strict_json, text_faults

CASES = Path(__file__).parent
_SHELL_VARIABLES = ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS", "CI")


def case_files() -> list[Path]:
    """Return every case, in the order of their paths."""
    return sorted(CASES.glob("*/*.yaml"))


class Run:
    """One case in a folder of its own."""

    def __init__(self, case: dict[str, Any], root: Path, tm: Path) -> None:
        self.case = case
        self.root = root
        self.tm = tm
        self.names = {"@ROOT@": str(root), "@TM@": str(tm)}

    def faults(self) -> list[str]:
        """Run the steps up to the first that is not as it should be; say what is wrong."""
        first, second = serving(self.case.get("server")), serving(self.case.get("other"))
        with first as (server, address), second as (other, elsewhere):
            server.names = other.names = {"@SERVER@": address, "@OTHER@": elsewhere}
            self.names |= server.names
            self._write()
            for number, step in enumerate(self.case["steps"], 1):
                if found := list(self._step(step, server, other)):
                    return [f"step {number}: {line}" for line in found]
        return []

    def fill(self, value: Any) -> Any:
        """Return a value with the names in its texts filled in."""
        text = json.dumps(value)
        for name, filled in self.names.items():
            text = text.replace(name, json.dumps(filled)[1:-1])
        return json.loads(text)

    def _write(self) -> None:
        for path, text in self.case.get("files", {}).items():
            self._place(path).write_bytes(self.fill(text).encode())
        for path, data in self.case.get("binary", {}).items():
            self._place(path).write_bytes(base64.b64decode(data))
        for path, target in self.case.get("links", {}).items():
            self._place(path).symlink_to(self.fill(target))

    def _place(self, path: str) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TM_", "COV")) and name not in _SHELL_VARIABLES
        }
        # Cases call `tm` through shells too.
        kept["PATH"] = os.pathsep.join([str(self.tm.parent), kept.get("PATH", "")])
        kept["XDG_CACHE_HOME"] = str(self.root / ".cache")
        given = self.fill(self.case.get("env", {}))
        kept |= {name: str(value) for name, value in given.items() if value is not None}
        return {name: value for name, value in kept.items() if given.get(name, "") is not None}

    def _step(self, step: dict[str, Any], server: Loopback, other: Loopback) -> Iterator[str]:
        before = len(server.seen)
        done = self._execute(step)
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        faults = [
            *_exit_faults(step.get("exit", 0), done.returncode),
            *self._output_faults(step, out, err),
            *self._request_faults(step, server.seen[before:]),
            *_other_faults(step, other),
            *self._file_faults(self.fill(step.get("files", {}))),
        ]
        yield from faults
        if faults:
            yield f"stdout: {out[-800:]}"
            yield f"stderr: {err[-800:]}"
            return
        for name, path in step.get("save", {}).items():
            self.names[f"@{name}@"] = str(_at(json.loads(out), path.split(".")))

    def _execute(self, step: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
        run = step["run"]
        words = self.fill(shlex.split(run) if isinstance(run, str) else [str(w) for w in run])
        if words[0] == "python3":
            words[0] = sys.executable
        return subprocess.run(
            words,
            cwd=self.root / step.get("cwd", "."),
            env=self._environment(),
            input=self.fill(step.get("stdin", "")).encode(),
            capture_output=True,
            timeout=4 * step.get("timeout", 30),
            check=False,
        )

    def _output_faults(self, step: dict[str, Any], out: str, err: str) -> Iterator[str]:
        if "Traceback (most recent call last)" in err and not step.get("traceback_ok"):
            yield "stderr has a traceback"
        if "json" in step:
            try:
                yield from differences(self.fill(step["json"]), strict_json(out))
            except ValueError as error:
                yield f"stdout is not one JSON document: {error}"
        for name, text in (("stdout", out), ("stderr", err), ("output", out + err)):
            yield from text_faults(self.fill(step.get(name, {})), text, name)

    def _request_faults(self, step: dict[str, Any], seen: list[dict[str, Any]]) -> list[str]:
        if "request_count" in step:
            wanted = step["request_count"]
            low, high = (wanted, wanted) if isinstance(wanted, int) else _span(wanted)
            if not low <= len(seen) <= high:
                return [f"{len(seen)} requests came, not {wanted}: {_addresses(seen)}"]
        if "requests" not in step:
            return []
        wanted = [lower_headers(request) for request in self.fill(step["requests"])]
        if len(wanted) != len(seen):
            return [f"{len(seen)} requests came, not {len(wanted)}: {_addresses(seen)}"]
        if step.get("requests_any"):
            return [f"no request is {w}" for w in wanted if all(differences(w, s) for s in seen)]
        return differences(wanted, seen, "requests")

    def _file_faults(self, rules: Mapping[str, Any]) -> Iterator[str]:
        for path, rule in rules.items():
            found = sorted(self.root.glob(path))
            if bool(found) == bool(rule.get("absent")):
                yield f"{path} is {'' if found else 'not '}there"
            elif found:
                text = found[0].read_text("utf-8", "replace")
                yield from text_faults(rule, text, path)
                yield from differences(rule["json"], json.loads(text)) if "json" in rule else ()


def _exit_faults(wanted: Any, code: int) -> list[str]:
    if wanted == "nonzero":
        return [] if 0 < code < 128 else [f"exit {code}"]
    allowed = wanted if isinstance(wanted, list) else [wanted]
    return [] if code in allowed else [f"exit {code}, not {wanted}"]


def _other_faults(step: dict[str, Any], other: Loopback) -> Iterator[str]:
    if len(other.seen) != step.get("other_count", len(other.seen)):
        yield f"{len(other.seen)} requests reached the second server"
    for name in step.get("other_lacks_headers", []):
        if any(name.lower() in asked["headers"] for asked in other.seen):
            yield f"the second server got the header {name}"


def _span(rule: Mapping[str, int]) -> tuple[int, int]:
    return rule.get("min", 0), rule.get("max", sys.maxsize)


def _addresses(seen: list[dict[str, Any]]) -> list[str]:
    return [f"{asked['method']} {asked['raw']}" for asked in seen]


def _at(value: Any, steps: list[str]) -> Any:
    for step in steps:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def run_case(path: Path, root: Path, tm: Path) -> list[str]:
    """Run one case in an empty folder and return what is wrong, empty where all is well."""
    return Run(yaml.safe_load(path.read_text("utf-8")), root, tm).faults()


def main(words: list[str]) -> int:
    """Run the cases whose path has one of the words; return how many failed, at most 1."""
    failed = 0
    for path in case_files():
        name = re.sub(r"^.*/conformance/|\.yaml$", "", path.as_posix())
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory(prefix="tm-case-") as folder:
            faults = run_case(path, Path(folder), Path(sys.executable).with_name("tm"))
        failed += bool(faults)
        print("FAIL" if faults else "ok  ", name, *(f"\n     {line}" for line in faults))
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
