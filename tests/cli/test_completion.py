"""What shells are offered, asked in the way in which each of them asks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import COMMAND, TmCommand, command_environment

ZSH = """
autoload -Uz compinit; compinit -u -D; eval "$(tm completion zsh)"; print $_comps[tm]
"""
FILES = {
    "tenants/acme/tools.yaml": """
        assistants:
          desk: {system_prompt: You help., model: m, provider: p, tools: [getTea]}
        scheduled:
          nightly: {cron: "0 3 * * *", tool: getTea}
        tools:
          getTea:
            description: Tea.
            handler: tools_code.py:run
            fixtures: [{name: green, args: {}}, {name: grey, args: {}}]
          getCup: {description: Cup., handler: "tools_code.py:run"}
        """,
    "tenants/acme/tools_code.py": """
        def run(results, args, ctx):
            return {}
        """,
    "tenants/zoo/empty.yaml": "settings: {vars: {a: b}}\n",
}


@pytest.fixture
def root(workspace) -> Path:
    return workspace(FILES)


def offered(tm_command: TmCommand, root: Path, words: str) -> list[str]:
    """Return what bash is offered at the end of the words."""
    count = len(words.split()) - (not words.endswith(" "))
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(count), "_TM_COMPLETE": "complete_bash"}
    done = tm_command(cwd=root, env=asked)
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("tm test-tool get", ["getCup", "getKnowledge", "getTea"]),
        ("tm test-tool getTea get", ["getCup", "getKnowledge"]),
        ("tm test-tool -t zoo get", ["getKnowledge"]),
        ("tm test-tool -t a", ["acme"]),
        ("tm test-tool --tenant ", ["acme", "zoo"]),
        ("tm test-tool getTea --case gre", ["green", "grey"]),
        ("tm test-tool -t acme getTea --case gree", ["green"]),
        ("tm show getC", ["getCup"]),
        ("tm show getCup --for g", ["gemini"]),
        ("tm export -a d", ["desk"]),
        ("tm chat -t acme -a ", ["desk"]),
        ("tm schedule run n", ["nightly"]),
        ("tm explain tm51", [f"tm51{n}" for n in range(10)]),
        ("tm lint --select TM301,TM31", ["TM301,TM310", "TM301,TM311", "TM301,TM312"]),
        ("tm exp", ["export", "explain"]),
        ("tm lint --sta", ["--statistics"]),
        ("tm test-tool getTea --case nothing", []),
    ],
)
def test_names_of_the_workspace_are_offered(tm_command, root, words, expected) -> None:
    assert offered(tm_command, root, words) == expected


def test_another_root_is_looked_at(tm_command, root, tmp_path) -> None:
    assert offered(tm_command, tmp_path, f"tm test-tool --root {root} getT") == ["getTea"]


def test_nothing_is_offered_and_nothing_said_where_there_is_no_workspace(
    tm_command, tmp_path
) -> None:
    assert offered(tm_command, tmp_path, "tm test-tool get") == []


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        ("bash", ["-c", 'eval "$(tm completion bash)"; complete -p tm']),
        ("zsh", ["-fc", ZSH]),
        ("fish", ["-Nc", 'tm completion fish | source; complete -C "tm test-tool getT"']),
    ],
)
def test_each_shell_takes_its_lines(root, tmp_path, shell, words) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not on this machine")
    env = command_environment(tmp_path, {})
    env["PATH"] = f"{COMMAND.parent}:{env['PATH']}"
    done = subprocess.run(
        [shell, *words], cwd=root, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ("getTea" if shell == "fish" else "_tm_completion") in done.stdout


def test_an_unknown_shell_is_a_mistake_in_the_call(tm_command, tmp_path) -> None:
    done = tm_command("completion", "ksh", cwd=tmp_path)
    assert done.code == 2
    assert "bash" in done.stderr
