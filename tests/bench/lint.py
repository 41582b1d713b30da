"""`tm lint` against linters that do a part of its work, cold and with nothing changed.

The peers are installed into an environment of their own; nothing of tm imports them.
"""

import json
import shutil
from pathlib import Path

from tests.bench.measure import CACHE, Command, medians, python, report, tm
from tests.e2e.cache import environment
from tm.config.config_schema import config_schema

FILES = 500
PEERS = ("bandit", "flake8", "yamllint", "check-jsonschema", "ruff")
ROUNDS = 3

_YAML = """tools:
  getThing{n}:
    description: Fetch thing {n} by its id.
    parameters:
      type: object
      properties:
        id: {{type: string, description: Id of the thing.}}
        kind: {{type: string, enum: [a, b], description: Kind.}}
      required: [id]
    api: erp
    method: GET
    path: /things/{{id}}
    query: {{kind: kind}}
    mapping:
      id: thing_id
      total: amounts.gross
    args_fixture: {{id: T-1}}
"""
_PYTHON = '''"""Sums."""


def calculate(results, args, ctx):
    """Return the sum."""
    ctx["logger"].info("calc starts", {{"n": args["n"]}})
    total = 0
    for number in range(args["n"]):
        if number % 2:
            total += number
        else:
            total -= number
    if total < 0:
        ctx["logger"].warning("negative")
        total = -total
    rows = [{{"n": number, "square": number * number}} for number in range(total)]
    ctx["logger"].success("calc done", {{"total": total}})
    return {{"total": total, "rows": rows}}


PARAMETERS = {{
    "type": "object",
    "properties": {{"n": {{"type": "integer", "description": "Number."}}}},
    "required": ["n"],
}}
tools = {{
    "calc{n}": {{
        "description": "Calculates {n}.",
        "parameters": PARAMETERS,
        "handler": calculate,
        "args_fixture": {{"n": 3}},
    }},
}}
'''
_APIS = 'apis:\n  erp: {base_url: "https://erp.example.com"}\n'


class Cold(Command):
    """A command whose caches are taken away first."""

    def run(self) -> float:
        """Run once without what an earlier run has kept."""
        shutil.rmtree(CACHE / "tm", ignore_errors=True)
        return super().run()


def measure_lint(folder: Path) -> None:
    """Lint 500 files of Python, 500 of YAML, and both once more when nothing has changed."""
    python_root = _workspace(folder / "python", "py", _PYTHON)
    yaml_root = _workspace(folder / "yaml", "yaml", _YAML)
    schema = folder / "schema.json"
    schema.write_text(json.dumps(config_schema()))
    tools = environment("lint-peers", PEERS)
    files = [str(path) for path in sorted(yaml_root.rglob("*.yaml"))]

    def peer(*words: str, cwd: Path, check: int = 0) -> Command:
        return Command([str(tools / words[0]), *words[1:]], cwd, check=check)

    ours, bandit, flake8, floor = medians(
        Cold(tm("lint", "--ignore", "TM4"), python_root),
        peer("bandit", "-q", "-r", "tenants", cwd=python_root),
        peer("flake8", "--max-line-length", "100", "tenants", cwd=python_root),
        Command(python("pass"), python_root),
        rounds=ROUNDS,
    )
    report(f"lint, {FILES} Python files", ours - floor, bandit - floor, 0.1, "runs of bandit")
    report(f"lint, {FILES} Python files", ours - floor, flake8 - floor, 0.1, "runs of flake8")
    ours, yamllint, checker, floor = medians(
        Cold(tm("lint", "--ignore", "TM4"), yaml_root),
        peer("yamllint", "-d", "{rules: {key-duplicates: enable}}", "tenants", cwd=yaml_root),
        peer("check-jsonschema", "--schemafile", str(schema), *files, cwd=yaml_root),
        Command(python("pass"), yaml_root),
        rounds=ROUNDS,
    )
    report(f"lint, {FILES} YAML files", ours - floor, yamllint - floor, 0.1, "runs of yamllint")
    report(f"lint, {FILES} YAML files", ours - floor, checker - floor, 0.1, "check-jsonschema")
    ours, ruff = medians(
        Command(tm("lint", "--ignore", "TM4"), python_root),
        peer("ruff", "check", "--isolated", "-q", "tenants", cwd=python_root),
    )
    report("lint, nothing changed", ours, ruff, 1.0, "warm runs of ruff")


def _workspace(root: Path, ending: str, text: str) -> Path:
    tenant = root / "tenants" / "shop"
    tenant.mkdir(parents=True)
    (tenant / "apis.yaml").write_text(_APIS)
    for number in range(FILES):
        folder = tenant / f"part{number // 50}"
        folder.mkdir(exist_ok=True)
        (folder / f"tool{number}.{ending}").write_text(text.format(n=number))
    return root
