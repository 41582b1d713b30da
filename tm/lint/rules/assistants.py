"""TM401, TM402, TM406: which tools assistants and tasks name, and what they cost."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from tm.builtin.tools import BUILTINS
from tm.config.extends import Declaration
from tm.errors import did_you_mean, nearest
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.subjects import LintFile, LintHome, LintTool
from tm.model import Tool
from tm.schema.function_tool import function_tool, token_estimate


def check_assistant(subject: Subject) -> Iterator[Hit]:
    """Yield unknown tools of an assistant, and a budget that its tools exceed."""
    assistant, home = subject.declared, subject.home
    assert assistant is not None  # noqa: S101  the rule's scope
    names = listed_tools(assistant)
    for number, name in names:
        if name not in home.tool_names and not _is_hidden(home, name):
            near = did_you_mean(name, sorted(home.tool_names))
            what = f"assistant '{assistant.name}' lists {name!r:.80}, which is no tool{near}"
            yield Hit(assistant.locate("tools", number), what, code="TM402")
    yield from _cost(home, assistant, [name for _, name in names])


def listed_tools(assistant: Declaration) -> list[tuple[int, str]]:
    """Return the tools of an assistant with their positions."""
    listed = assistant.value.get("tools") if isinstance(assistant.value, Mapping) else None
    named = enumerate(listed if isinstance(listed, list) else ())
    return [(number, name) for number, name in named if isinstance(name, str)]


def _is_hidden(home: LintHome, name: str) -> bool:
    """Say whether a name may be declared in a file that could not be read."""
    return any(place.may_declare(name) for place in (home, home.shared) if place)


def _cost(home: LintHome, assistant: Declaration, names: list[str]) -> Iterator[Hit]:
    budget = home.settings.get("token_budget")
    if not isinstance(budget, int | float) or isinstance(budget, bool):
        return
    costs = {name: cost for name in names if (cost := _tokens_of(home, name))}
    total = sum(costs.values())
    if total > budget:
        dearest = sorted(costs, key=lambda name: -costs[name])[:3]
        told = ", ".join(f"{name} {costs[name]:,}" for name in dearest)
        yield Hit(
            assistant.at,
            f"the tools of assistant '{assistant.name}' cost about {total:,} tokens in each "
            f"request; settings.token_budget is {budget:,}",
            f"shorten the descriptions or list fewer tools; the dearest: {told}",
            code="TM406",
        )


def find_tool(home: LintHome, name: str) -> LintTool | None:
    """Return the tool that a home's assistants mean: its own, else the shared one."""
    for place in (home, home.shared):
        for tool in place.tools if place else ():
            if tool.name == name:
                return tool
    return None


def _tokens_of(home: LintHome, name: str) -> int:
    """Return what a tool of an assistant costs; 0 for an unknown one."""
    if tool := find_tool(home, name):
        return _tokens(tool)
    if name in BUILTINS:
        return token_estimate(function_tool(BUILTINS[name](home.code)))
    return 0


def _tokens(tool: LintTool) -> int:
    words = tool.values.get("description")
    described = Tool(
        name=tool.name,
        tenant=tool.home.code,
        home=tool.home.code,
        at=tool.own.at,
        description=words if isinstance(words, str) else "",
        parameters=tool.parameters,
    )
    return token_estimate(function_tool(described))


def check_task(subject: Subject) -> Iterator[Hit]:
    """Yield an unknown tool or assistant of a task, and a task with neither."""
    task, home = subject.declared, subject.home
    if task is None or not isinstance(task.value, Mapping):
        return
    known: dict[str, list[str]] = {
        "tool": sorted(home.tool_names),
        "assistant": sorted(home.names("assistants")),
    }
    for key, names in known.items():
        name = task.value.get(key)
        if isinstance(name, str) and name not in names and not _is_hidden(home, name):
            near = did_you_mean(name, names)
            what = f"task '{task.name}' names {name!r:.80}, which is no {key}{near}"
            yield Hit(task.locate(key), what)
    if not any(key in task.value for key in known):
        hint = "give it tool and args, or assistant and message"
        yield Hit(task.at, f"task '{task.name}' names neither a tool nor an assistant", hint)


def check_home(subject: Subject) -> Iterator[Hit]:
    """Yield the tools that no assistant lists and nothing else uses."""
    home = subject.home
    assistants = list(home.declarations("assistants"))
    if home.shared is None or not assistants or home.may_declare("assistants"):
        return
    if any(_hides_its_tools(assistant) for assistant in assistants):
        return  # what it means to list is not known, and told there
    used = {name for assistant in assistants for _, name in listed_tools(assistant)}
    # A misspelt name in a list is told there; the tool that it means is not told again.
    for name in used - home.tool_names:
        used = used | set(nearest(name, sorted(home.tool_names), limit=1))
    used |= {str(task.value.get("tool")) for task in _tasks(home)}
    unlisted = [tool for tool in home.tools if tool.name not in used]
    named = _named_in_code(home) if unlisted else set()
    for tool in unlisted:
        if tool.name not in named:
            what = f"no assistant lists tool '{tool.name}', so no model can call it"
            hint = "add it to the tools of an assistant, or delete it"
            yield Hit(tool.own.at, what, hint, tool=tool.name)


def _hides_its_tools(assistant: Declaration) -> bool:
    """Say whether an assistant's tools are of the wrong kind."""
    tools = assistant.value.get("tools") if isinstance(assistant.value, Mapping) else ""
    return tools is not None and not isinstance(tools, list)


def _tasks(home: LintHome) -> Iterator[Declaration]:
    tasks = home.declarations("scheduled")
    return (task for task in tasks if isinstance(task.value, Mapping))


def _named_in_code(home: LintHome) -> set[str]:
    """Return the texts in functions that call tools: any may name one."""
    return {text for file in home.files if b"tool" in file.data for text in _texts(file)}


def _texts(file: LintFile) -> Iterator[str]:
    functions: Any = file.functions.values() if file.is_python else ()
    constants: list[ast.AST] = [
        node for node in (file.tree.body if file.tree else ()) if isinstance(node, ast.Assign)
    ]
    for top in (*functions, *(node for node in constants if not _declares(node))):
        for node in ast.walk(top):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _declares(node: ast.AST) -> bool:
    """Say whether an assignment is one of the config's, whose keys are names of tools."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(isinstance(t, ast.Name) and t.id in {"tools", "assistants"} for t in targets)


ASSISTANT_RULE = Rule("TM402", "assistant", check_assistant, ("TM402", "TM406"))
TASK_RULE = Rule("TM402", "task", check_task)
HOME_RULE = Rule("TM401", "home", check_home)
