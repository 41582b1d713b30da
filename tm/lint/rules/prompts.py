"""TM403, TM404: placeholders that nothing fills where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tm.config.extends import Declaration
from tm.config.source import KeyPath
from tm.grammar.placeholders import find_pdf_placeholders
from tm.grammar.prompts import prompt_placeholders, unknown_placeholder
from tm.grammar.templates import is_constant
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.subjects import LintHome

_SPECS: Final = ("query", "body", "headers")
_HELP: Final = "PDFs are filled in the arguments of a tool, and nowhere else"


def check_assistant(subject: Subject) -> Iterator[Hit]:
    """Yield unknown placeholders of a system prompt, and PDFs in it."""
    assistant = subject.declared
    assert assistant is not None  # noqa: S101  the rule's scope
    prompt = assistant.value.get("system_prompt") if isinstance(assistant.value, Mapping) else None
    if not isinstance(prompt, str):
        return
    at = assistant.locate("system_prompt")
    variables = _variables(subject.home)
    for name in prompt_placeholders(prompt):
        why = unknown_placeholder(name, variables)
        if why:
            yield Hit(at, f"nothing fills {{{{{name:.60}}}}} in this prompt: {why}", code="TM403")
    yield from _pdfs(assistant, ("system_prompt",), prompt, "a system prompt")


def _variables(home: LintHome) -> Mapping[str, Any] | None:
    """Return `settings.vars`; None where they may be in a file that could not be read."""
    given = home.settings.get("vars")
    if isinstance(given, Mapping):
        return given
    return None if given is not None or home.may_declare("vars") else {}


def check_task(subject: Subject) -> Iterator[Hit]:
    """Yield PDFs in the message of a task."""
    task = subject.declared
    if task is not None and isinstance(task.value, Mapping):
        yield from _pdfs(task, ("message",), task.value.get("message"), "a task's message")


def check_tool(subject: Subject) -> Iterator[Hit]:
    """Yield PDFs in constants, and in the fixed part of texts, of the tool's own file."""
    own = subject.tool.own if subject.tool else None
    for field in _SPECS if own and isinstance(own.value, Mapping) else ():
        assert own is not None  # noqa: S101  looked at above
        yield from _below(own, (field,), own.value.get(field))


def _below(own: Declaration, keys: KeyPath, spec: Any) -> Iterator[Hit]:
    if isinstance(spec, Mapping) and not is_constant(spec):
        for key, side in spec.items():
            yield from _below(own, (*keys, key), side)
    else:
        yield from _pdfs(own, keys, spec, "a constant")


def _pdfs(own: Declaration, keys: KeyPath, value: Any, where: str) -> Iterator[Hit]:
    found = find_pdf_placeholders(value)
    if found:
        what = f"{found[0]:.60} in {where} stays as it is written"
        yield Hit(own.locate(*keys), what, _HELP, code="TM404")


ASSISTANT_RULE = Rule("TM403", "assistant", check_assistant, ("TM403", "TM404"))
TASK_RULE = Rule("TM404", "task", check_task)
TOOL_RULE = Rule("TM404", "tool", check_tool)
