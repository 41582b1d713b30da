"""Declarations of several files put together: a name that two files declare belongs to neither."""

from __future__ import annotations

from tm.config.discover import TENANTS
from tm.config.extends import Declaration
from tm.config.home import Home
from tm.errors import ConfigError, Location, TmError, ToolError, UsageError, did_you_mean
from tm.model import Problem, Tool


def only(found: list[Declaration]) -> Declaration | None:
    """Return the only declaration of a name, None for none.

    Raises:
        ConfigError: TM006, naming both places.
    """
    if len(found) > 1:
        raise _duplicate(found)
    return found[0] if found else None


def _duplicate(found: list[Declaration]) -> ConfigError:
    places = " and ".join(str(declared.at) for declared in found)
    what = found[0].section.removesuffix("s") if found[0].section != "scheduled" else "task"
    return ConfigError(
        f"{what} '{found[0].name}' is declared in several places: {places}",
        code="TM006",
        hint="keep one of them, or give one another name",
        at=found[1].at,
    )


def by_name(home: Home, section: str, problems: list[Problem]) -> dict[str, Declaration]:
    """Return a section's declarations; names that several files declare become problems."""
    found: dict[str, list[Declaration]] = {}
    for declared in home.declarations(section):
        found.setdefault(declared.name, []).append(declared)
    for name, several in found.items():
        if len(several) > 1:
            problems.append(Problem(_duplicate(several), (name,) if section == "tools" else ()))
    return {name: several[0] for name, several in found.items() if len(several) == 1}


def file_problems(home: Home) -> list[Problem]:
    """Return what is wrong with whole files; those with none of the keys are no harm."""
    problems = [problem for source in home.sources() for problem in source.problems]
    for path in home.listing.links:
        at = Location(f"{TENANTS}/{home.code}/{path}")
        error = ConfigError("a link is not followed", code="TM312", at=at)
        problems.append(Problem(error))
    return problems


def broken_files(homes: list[Home], section: str) -> str | None:
    """Return a hint that names a broken file in which what was not found may be, or None.

    Args:
        homes: where it was looked for.
        section: in which it would be declared.
    """
    broken: list[TmError] = [
        problem.error
        for home in homes
        for source in home.sources(section)
        for problem in source.problems
        if not problem.tools
    ]
    return f"it may be in a file that is broken: {broken[0]}" if broken else None


def unknown_tool(code: str, name: str, names: list[str], homes: list[Home]) -> UsageError:
    """Return the error for a tool that none of the homes declares, with the nearest names."""
    return UsageError(
        f"tenant '{code}' has no tool {name!r:.80}{did_you_mean(name, names)}",
        code="TM502",
        hint=broken_files(homes, "tools") or f"tm list -t {code} shows its tools",
    )


def unknown_assistant(code: str, name: str, names: list[str], home: Home) -> UsageError:
    """Return the error for an assistant that a tenant does not declare, with the nearest names."""
    listed = f"; there are: {', '.join(names[:20])}" if names else "; it declares none"
    return UsageError(
        f"tenant '{code}' has no assistant {name!a:.80}{did_you_mean(name, names) or listed}",
        code="TM524",
        hint=broken_files([home], "assistants"),
    )


def unknown_api(tool: Tool, homes: list[Home]) -> ToolError:
    """Return the error for a tool whose api none of the homes declares, with the nearest names."""
    names = sorted({d.name for home in homes for d in home.declarations("apis")})
    return ToolError(
        f"tool '{tool.name}' uses api {tool.api!r}, which {homes[0].code} does not declare"
        f"{did_you_mean(tool.api or '', names)}",
        code="TM515",
        hint=broken_files(homes, "apis"),
        at=tool.fields["api"].at,
    )
