"""TM007: unknown keys; and values of the wrong kind, under the code that the field has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from tm.config.extends import Declaration
from tm.config.field_faults import field_faults, setting_faults
from tm.config.fields import API_FIELDS, TOOL_FIELDS
from tm.config.shape import check_api, unknown_sections
from tm.errors import ConfigError, nearest
from tm.lint.rule import Hit, Rule, Subject, hit_of

_SECTIONS: Final = ("apis", "assistants", "scheduled")
_CODES: Final = tuple(sorted({"TM007", "TM402", "TM405"} | {s.code for s in TOOL_FIELDS.values()}))


def check_tool(subject: Subject) -> Iterator[Hit]:
    """Yield what is wrong with the fields that the tool's own file gives."""
    tool = subject.tool
    assert tool is not None  # noqa: S101  the rule's scope
    if tool.is_whole or tool.extends_error is not None:
        faults = field_faults(tool.own)
        yield from _hits(fault for fault in faults if fault.code != "TM111")  # tool_shape's


def check_home(subject: Subject) -> Iterator[Hit]:
    """Yield what is wrong in the other sections, and unknown sections."""
    home = subject.home
    for file in home.files:
        if not file.is_python and file.source.data:
            yield from _hits(unknown_sections(file.source))
    for section in _SECTIONS:
        for declared in home.declarations(section):
            yield from _hits(_without_base_url(declared))
            yield from _hits(field_faults(declared))
    for declared in home.declarations("settings"):
        yield from _hits(setting_faults(declared))


def _without_base_url(declared: Declaration) -> Iterator[ConfigError]:
    given = declared.value if isinstance(declared.value, Mapping) else {}
    if declared.section != "apis" or "base_url" in given:
        return
    unknown = [key for key in given if isinstance(key, str) and key not in API_FIELDS]
    if any(nearest(key, list(API_FIELDS), 1) == ["base_url"] for key in unknown):
        return  # TM007 tells it
    try:
        check_api(declared)
    except ConfigError as error:
        yield error


def _hits(errors: Iterable[ConfigError]) -> Iterator[Hit]:
    for error in errors:
        hit = hit_of(error)
        yield Hit(hit.at, hit.message, hit.help, code=error.code)


TOOL_RULE = Rule("TM007", "tool", check_tool, _CODES)
HOME_RULE = Rule("TM007", "home", check_home, _CODES)
