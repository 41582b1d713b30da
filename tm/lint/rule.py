"""What a rule is: one fault, known by its code, looked for in one kind of subject."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from tm.config.extends import Declaration
from tm.errors import Location, TmError
from tm.lint.subjects import LintFile, LintHome, LintTool, LintWorkspace
from tm.records import record

Scope: TypeAlias = Literal["file", "tool", "api", "assistant", "task", "home", "workspace"]


@record
class Hit:
    """What a rule yields: a place and words. The engine adds code, name and severity.

    Attributes:
        end: line and column behind the last character; None: the end of the line.
        tool: name of the tool it is about, where the subject does not say it.
        code: where one rule's work finds several codes (the scan); None: the rule's own.
    """

    at: Location
    message: str
    help: str | None = None
    end: tuple[int, int] | None = None
    tool: str | None = None
    fixable: bool = False
    code: str | None = None


@record
class Subject:
    """What a rule is given: the thing itself and what is around it.

    Attributes:
        home: the tenant, or `_shared`, that it belongs to.
        file: for scope file.
        tool: for scope tool.
        declared: for scopes api, assistant and task.
    """

    workspace: LintWorkspace
    home: LintHome
    file: LintFile | None = None
    tool: LintTool | None = None
    declared: Declaration | None = None


@record
class Rule:
    """One rule. Name, severity and explanation are those of the code's page (`tm.codes`).

    Attributes:
        code: `TMnnn`; `tm explain` has its page.
        check: yields a hit for each fault in one subject.
        codes: all codes that it may yield, where its hits name their own; empty: just `code`.
    """

    code: str
    scope: Scope
    check: Callable[[Subject], Iterator[Hit]]
    codes: tuple[str, ...] = ()


def hit_of(error: TmError, help: str | None = None) -> Hit:  # noqa: A002  the field's name
    """Return the hit of an error that the loader would raise."""
    return Hit(error.at or Location("", 1), error.message, help or error.hint)
