"""Large workspaces: 10,000 tools against one, and the first index against the parser alone."""

import shutil
from pathlib import Path

from tests.bench.measure import CACHE, Command, medians, python, report, tm
from tests.bench.workspaces import answering_server, make_workspace

_WALK = """
import os
def walk(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False): walk(entry.path)
        else: entry.stat(follow_symlinks=False)
walk('tenants')
"""

_PARSE = """
import os, yaml
for folder, _, names in os.walk('tenants'):
    for name in names:
        with open(os.path.join(folder, name), 'rb') as file:
            yaml.load(file.read(), Loader=yaml.CSafeLoader)
"""


def measure_scale(folder: Path) -> None:
    """One GET in a workspace of 10,000 tools, against the same in one of a single tool."""
    with answering_server() as url:
        small = make_workspace(folder / "small", url, 1)
        large = make_workspace(folder / "large", url, 10_000)
        one, many, walk, floor = medians(
            Command(tm("test-tool", "getInvoice0"), small),
            Command(tm("test-tool", "getInvoice0"), large),
            Command(python(_WALK), large),
            Command(python("pass"), large),
        )
    report("test-tool, 10,000 tools", many, one, 1.25, "runs with one tool")
    report("what 10,000 tools add", many - one, walk - floor, 1.3, "walks with stat")


def measure_cold_index(folder: Path) -> None:
    """`tm list` of 2,000 tools without an index, against the C parser on the same files."""
    root = make_workspace(folder / "w", "http://127.0.0.1:9", 2000)

    class Cold(Command):
        def run(self) -> float:
            shutil.rmtree(CACHE / "tm", ignore_errors=True)
            return super().run()

    parser, cold, floor = medians(
        Command(python(_PARSE), root),
        Cold(tm("list", "--json"), root),
        Command(tm("list", "--json"), make_workspace(folder / "one", "http://127.0.0.1:9", 1)),
        rounds=5,
    )
    report("first index of 2,000 tools", cold - floor, parser, 1.25, "runs of CSafeLoader")
