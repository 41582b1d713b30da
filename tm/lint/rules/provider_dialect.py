"""TM118: what the providers of the assistants that list a tool refuse of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tm.config.extends import Declaration
from tm.errors import Location
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.rules.assistants import find_tool, listed_tools
from tm.lint.subjects import LintHome, LintTool
from tm.schema.refusals import refusals, refused_name

_MOST_TOOLS: Final = {"openai": 128, "openai-strict": 128}


def check(subject: Subject) -> Iterator[Hit]:
    """Yield one hit for each thing that a provider refuses, in the file where it stands."""
    home = subject.home
    told: set[tuple[str, Location]] = set()
    for assistant in home.declarations("assistants"):
        provider, dialect = _provider(home, assistant)
        names = [name for _, name in listed_tools(assistant)]
        most = _MOST_TOOLS.get(dialect)
        if most and len(names) > most:
            what = f"provider '{provider}' takes at most {most} tools; there are {len(names)}"
            yield Hit(assistant.locate("tools"), what, "split the assistant in two")
        for number, name in listed_tools(assistant) if dialect else ():
            tool = find_tool(home, name)
            for hit in _refused(home, tool, provider, dialect) if tool else ():
                at = hit.at if hit.at.path else assistant.locate("tools", number)
                if (hit.message, at) not in told:
                    told.add((hit.message, at))
                    yield Hit(at, hit.message, hit.help, tool=name)


def _provider(home: LintHome, assistant: Declaration) -> tuple[str, str]:
    """Return an assistant's provider and its dialect; empty texts where there is none."""
    named = assistant.value.get("provider") if isinstance(assistant.value, Mapping) else None
    providers = home.settings.get("providers")
    if not isinstance(named, str) or not isinstance(providers, Mapping):
        return "", ""
    provider = providers.get(named)
    dialect = provider.get("dialect") if isinstance(provider, Mapping) else None
    return named, dialect if isinstance(dialect, str) else ""


def _refused(home: LintHome, tool: LintTool, provider: str, dialect: str) -> Iterator[Hit]:
    """Yield what is refused of a tool; without a path where it is not the tenant's own file."""
    if not tool.is_whole or any(fault.code != "TM007" for fault in tool.schema_faults):
        return
    is_own = tool.home is home
    elsewhere = Location("")
    who = f"provider '{provider}' ({dialect}) refuses"
    if why := refused_name(tool.name, dialect):
        at = tool.own.at if is_own else elsewhere
        yield Hit(at, f"{who} the name '{tool.name}': {why}", "rename the tool")
    for refusal in refusals(tool.parameters, dialect):
        at = tool.locate("parameters", *refusal.keys) if tool.is_own("parameters") else tool.own.at
        what = f"{who} {refusal.what}, so that no message of the assistant is answered"
        of = "" if is_own else f" (in the shared tool '{tool.name}')"
        yield Hit(at if is_own else elsewhere, what + of, f"write {refusal.instead}")


RULE = Rule("TM118", "home", check)
