"""When a cron expression matches: minutes in a time zone, with its days of 23 and 25 hours.

What lives here: the times. What must not: reading expressions (`cron` does).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from tm.errors import ConfigError, UsageError, did_you_mean
from tm.grammar.cron import parse_cron

_MINUTE = timedelta(minutes=1)


def minute_of(moment: datetime) -> datetime:
    """Return the minute that a time is in, in UTC."""
    return moment.astimezone(UTC).replace(second=0, microsecond=0)


def next_match(expression: str, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the first minute later than a time that an expression matches, in the zone.

    Where clocks go forward, what falls into the gap runs right behind it; where they go back, it
    runs once; what runs every hour or oftener follows the clock. This is how Debian's cron does.

    Args:
        expression: five fields, or a nickname such as `@daily`.
        after: aware.
        zone: in which the expression is meant.

    Returns:
        None where it never matches, as the 30th of February.

    Raises:
        ConfigError: TM405, the expression does not parse.
        UsageError: TM500, the library of the extra `schedule` is not installed.
    """
    try:
        from cronsim import CronSim, CronSimError  # noqa: PLC0415  scheduled tasks only
    except ImportError as error:
        raise UsageError(
            "scheduled tasks need the extra 'schedule', which is not installed",
            code="TM500",
            hint="pip install 'tm[schedule]'",
        ) from error
    plain = parse_cron(expression).plain
    try:
        return next(CronSim(plain, after.astimezone(zone)), None)
    except CronSimError:
        return None


def matches_between(expression: str, after: datetime, until: datetime, zone: tzinfo) -> bool:
    """Tell whether a minute later than `after` and not later than `until` matches.

    Raises:
        ConfigError, UsageError: as `next_match`.
    """
    found = next_match(expression, after, zone)
    return found is not None and found.astimezone(UTC) <= until.astimezone(UTC)


def time_zone(name: object) -> tzinfo:
    """Return a zone by its name in the time zone database.

    Raises:
        ConfigError: TM405, there is none of that name; with the nearest ones.
    """
    if name == "UTC":
        return UTC
    import zoneinfo  # noqa: PLC0415  as above

    try:
        return zoneinfo.ZoneInfo(str(name))
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError) as error:
        near = did_you_mean(str(name), sorted(zoneinfo.available_timezones()))
        message = f"there is no time zone {name!r:.60}{near or '; for example Europe/Berlin'}"
        raise ConfigError(message, code="TM405") from error
