"""What models would see differently: two states of a tenant, compared tool by tool.

What lives here: which tools and assistants came, went and changed. What must not: git, screens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from tm.errors import Location
from tm.exchange.result_changes import result_differences
from tm.exchange.schema_changes import Difference, Level, schema_differences
from tm.model import Assistant, Tool
from tm.records import field, record
from tm.schema.function_tool import exported_parameters

LEVELS: Final[tuple[Level, ...]] = ("breaking", "risky", "harmless")
"""From the worst on."""


@record
class Change:
    """One thing that models would see differently.

    Attributes:
        tool: its name; None where an assistant changed.
        assistants: those whose models see it, sorted.
        path: in dots, of what changed within the tool's definition; empty for the whole of it.
        at: where it stands now; None where it is gone.
    """

    level: Level
    tool: str | None
    tenant: str
    assistants: tuple[str, ...]
    path: str
    message: str
    at: Location | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the change in the shape of `tm diff --json`."""
        return {
            "level": self.level,
            "tool": self.tool,
            "tenant": self.tenant,
            "assistants": list(self.assistants),
            "path": self.path,
            "message": self.message,
        }


@record
class View:
    """What a tenant offers to models in one state of its files.

    Attributes:
        tools: its own, and those that its assistants list; broken ones are not there.
        reasons: why a tool is not there though it is declared; by name.
    """

    tenant: str
    tools: Mapping[str, Tool] = field(default_factory=dict)
    assistants: Mapping[str, Assistant] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)

    def listing(self, tool: str) -> set[str]:
        """Return the assistants that list a tool."""
        return {name for name, found in self.assistants.items() if tool in found.tools}


def compare(old: View, new: View) -> list[Change]:
    """Return what changed, the worst first, then by tool."""
    changes = list(chain(_assistants(old, new), _tools(old, new)))
    return sorted(changes, key=lambda c: (LEVELS.index(c.level), c.tool or "", c.path))


def _assistants(old: View, new: View) -> Iterator[Change]:
    for name in sorted({*old.assistants, *new.assistants}):
        before, after = old.assistants.get(name), new.assistants.get(name)

        def change(
            level: Level, path: str, message: str, *, of: Assistant | None = after, name: str = name
        ) -> Change:
            at = None if of is None else of.at
            return Change(level, None, new.tenant, (name,), path, message, at)

        if after is None:
            yield change("breaking", "", f"assistant '{name}' is gone")
        elif before is None:
            yield change("harmless", "", f"assistant '{name}' is new")
        else:
            yield from _assistant_fields(before, after, change)


def _assistant_fields(
    before: Assistant, after: Assistant, change: Callable[[Level, str, str], Change]
) -> Iterator[Change]:
    levels: dict[str, Level] = {"system_prompt": "risky", "model": "risky", "provider": "risky"}
    for key in sorted({*before.declared, *after.declared} - {"tools"}):
        if before.declared.get(key) != after.declared.get(key):
            level = levels.get(key, "harmless")
            yield change(level, key, f"{key} of assistant '{after.name}' changed")


def _tools(old: View, new: View) -> Iterator[Change]:
    for name in sorted({*old.tools, *new.tools}):
        before, after = old.tools.get(name), new.tools.get(name)
        saw, see = old.listing(name), new.listing(name)
        if before is not None and after is not None:
            yield from _listing_changes(old, new, name, after.at)
            for difference in _differences(before, after):
                yield _tool_change(difference, after, new, saw & see, is_seen=bool(saw | see))
        elif before is not None:
            reason = new.reasons.get(name)
            said = f"'{name}' is gone" + (f": {reason}" if reason else "")
            gone = Difference("breaking", "", said)
            yield _change(gone, name, new, saw, is_seen=_is_seen(old, saw))
        elif after is not None and name not in old.reasons:
            yield _change(
                Difference("harmless", "", f"'{name}' is new"), name, new, see, at=after.at
            )


def _listing_changes(old: View, new: View, name: str, at: Location) -> Iterator[Change]:
    """Yield that an assistant no longer lists a tool, or now does."""
    kept = old.assistants.keys() & new.assistants.keys()
    gone, come = (old.listing(name) - new.listing(name)) & kept, new.listing(name) & kept
    come -= old.listing(name)
    if gone:
        said = Difference("breaking", "", f"'{name}' is no longer listed")
        yield _change(said, name, new, gone, at=at)
    if come:
        yield _change(Difference("harmless", "", f"'{name}' is listed now"), name, new, come, at=at)


def _differences(old: Tool, new: Tool) -> Iterator[Difference]:
    if old.description != new.description:
        yield Difference("risky", "description", "the description changed")
    before, after = exported_parameters(old.parameters), exported_parameters(new.parameters)
    yield from schema_differences(before, after)
    yield from result_differences(old, new)


def _tool_change(
    difference: Difference, tool: Tool, view: View, seen_by: set[str], *, is_seen: bool
) -> Change:
    declared = tool.fields.get(difference.path.partition(".")[0])
    at = tool.at if declared is None else declared.at
    seen = is_seen or not view.assistants
    return _change(difference, tool.name, view, seen_by, at=at, is_seen=seen)


def _is_seen(view: View, listed_by: set[str]) -> bool:
    """Say whether a model can see a tool: without assistants, all tools are for exports."""
    return bool(listed_by) or not view.assistants


def _change(
    difference: Difference,
    tool: str,
    view: View,
    assistants: set[str],
    *,
    at: Location | None = None,
    is_seen: bool = True,
) -> Change:
    level, path, message = difference
    if not is_seen:
        level, message = "harmless", f"{message} (no assistant lists it)"
    return Change(level, tool, view.tenant, tuple(sorted(assistants)), path, message, at)
