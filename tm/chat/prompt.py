"""Fills the placeholders of a system prompt (SPEC 7): one pass, double braces only."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from typing import Any, Final

from tm.errors import ChatError, ConfigError, Location
from tm.grammar.prompts import prompt_placeholders, unknown_placeholder
from tm.model import Json, Tool
from tm.records import field, record

_PLACEHOLDER: Final = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_WEEKDAYS: Final = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    "pl": "poniedziałek wtorek środa czwartek piątek sobota niedziela",
    "cs": "pondělí úterý středa čtvrtek pátek sobota neděle",
    "da": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "sv": "måndag tisdag onsdag torsdag fredag lördag söndag",
}


@record
class PromptFacts:
    """What the placeholders stand for.

    Attributes:
        now: the present time in any zone.
        settings: the tenant's: `vars`, `timezone`, `language`.
    """

    now: datetime
    tenant: str
    assistant: str
    user_id: str | None
    chat_id: str | None
    session: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    tools: tuple[Tool, ...] = ()


def fill_prompt(prompt: str, facts: PromptFacts, at: Location) -> str:
    """Return the prompt with every placeholder filled.

    Args:
        prompt: as declared.
        facts: what they stand for.
        at: of the prompt, for the errors.

    Raises:
        ChatError: TM523, with the known names.
        ConfigError: TM405, `settings.timezone` is no time zone.
    """
    variables = facts.settings.get("vars")
    known = variables if isinstance(variables, Mapping) else {}
    for name in prompt_placeholders(prompt):
        if why := unknown_placeholder(name, known):
            raise ChatError(
                f"nothing fills {{{{{name:.60}}}}} in the system prompt of assistant "
                f"'{facts.assistant}': {why}",
                code="TM523",
                hint="tm lint finds this before a chat does",
                at=at,
            )
    return _PLACEHOLDER.sub(lambda hit: _value(hit[1], facts, known), prompt)


def _value(name: str, facts: PromptFacts, variables: Mapping[str, Any]) -> str:
    group, dot, key = name.partition(".")
    if dot:
        return _text((variables if group == "vars" else facts.session).get(key))
    make: dict[str, Callable[[], str]] = {
        "date": lambda: f"{_local(facts):%Y-%m-%d}",
        "time": lambda: f"{_local(facts):%H:%M}",
        "datetime": lambda: f"{_local(facts):%Y-%m-%d %H:%M}",
        "weekday": lambda: _weekday(facts),
        "tenant": lambda: facts.tenant,
        "assistant": lambda: facts.assistant,
        "user_id": lambda: facts.user_id or "",
        "chat_id": lambda: facts.chat_id or "",
        "tools": lambda: "\n".join(f"- {tool.name}: {tool.description}" for tool in facts.tools),
    }
    return make[name]()


def _text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    from tm.chat.cutting import to_text  # noqa: PLC0415  most values are texts

    return to_text(value)


def _local(facts: PromptFacts) -> datetime:
    return facts.now.astimezone(_zone(facts.settings.get("timezone")))


def _zone(name: Json) -> tzinfo:
    from datetime import UTC  # noqa: PLC0415  with the other
    from zoneinfo import ZoneInfo  # noqa: PLC0415  few prompts need a zone

    if name is None:
        return UTC
    try:
        return ZoneInfo(str(name))
    except (OSError, ValueError, LookupError) as error:
        raise ConfigError(
            f"settings.timezone {name!r:.60} is no time zone",
            code="TM405",
            hint="write a name such as Europe/Berlin",
        ) from error


def _weekday(facts: PromptFacts) -> str:
    language = str(facts.settings.get("language") or "en").lower()[:2]
    names = _WEEKDAYS.get(language, _WEEKDAYS["en"]).split()
    return names[_local(facts).weekday()]
