"""TM103, TM104, TM114, TM119: the schema of a tool's arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tm.errors import did_you_mean
from tm.lint.rule import Hit, Rule, Subject
from tm.lint.subjects import LintTool
from tm.schema.patterns import PatternError, compile_pattern
from tm.schema.places import Instance, Keys, instances


def check(subject: Subject) -> Iterator[Hit]:
    """Yield every fault of the schema that the tool's own file gives."""
    tool = subject.tool
    assert tool is not None  # noqa: S101  the rule's scope
    if not tool.is_whole or not tool.is_own("parameters") or tool.is_plain:
        return
    for fault in tool.schema_faults:
        at = tool.locate("parameters", *fault.keys)
        yield Hit(at, fault.message, fault.hint, code=fault.code)
    if any(not fault.keys or fault.keys == ("$schema",) for fault in tool.schema_faults):
        return  # it can't be seen through
    for instance in instances(tool.parameters):
        yield from _required(tool, instance)
        yield from _description(tool, instance)


def _required(tool: LintTool, instance: Instance) -> Iterator[Hit]:
    """Yield a hit for each name in `required` that no property of the same value has."""
    known = {name for part in instance.parts for name in _names(part.schema, "properties")}
    patterns = [p for part in instance.parts for p in _names(part.schema, "patternProperties")]
    if any(isinstance(part.schema.get("additionalProperties"), Mapping) for part in instance.parts):
        return
    for part in instance.parts:
        required = part.schema.get("required")
        for number, name in enumerate(required if isinstance(required, list) else ()):
            if isinstance(name, str) and name not in known and not _fits(name, patterns):
                yield Hit(
                    tool.locate("parameters", *part.keys, "required", number),
                    f"required names {name!r:.60}, which is no property"
                    f"{did_you_mean(name, sorted(known))}",
                    code="TM104",
                    fixable=True,
                )


def _names(schema: Mapping[str, object], keyword: str) -> list[str]:
    found = schema.get(keyword)
    return [str(name) for name in found] if isinstance(found, Mapping) else []


def _fits(name: str, patterns: list[str]) -> bool:
    try:
        return any(compile_pattern(pattern).search(name) for pattern in patterns)
    except PatternError:
        return True  # TM119 stands there


def _description(tool: LintTool, instance: Instance) -> Iterator[Hit]:
    """Yield a hit for a property that nothing describes, neither it nor what it refers to."""
    if instance.name is None or any(_describes(part.schema) for part in instance.parts):
        return
    keys: Keys = instance.starts[0].keys
    if any(fault.keys[: len(keys)] == keys for fault in tool.schema_faults):
        return  # a misspelt description or a lost reference, told there
    if isinstance(instance.starts[0].schema, Mapping | bool):
        names = [str(key) for key in keys[1::2]] if "properties" in keys else [instance.name]
        yield Hit(
            tool.locate("parameters", *keys),
            f"parameter '{'.'.join(names)}' has no description",
            "say what it is and in which form; the model guesses otherwise",
            code="TM114",
        )


def _describes(schema: Mapping[str, object]) -> bool:
    text = schema.get("description")
    return isinstance(text, str) and bool(text.strip())


RULE = Rule("TM103", "tool", check, ("TM007", "TM103", "TM104", "TM114", "TM119"))
