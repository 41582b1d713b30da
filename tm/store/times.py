"""Times as rows keep them.

What lives here: `iso` and the clock of production. What must not: what users write.
"""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> datetime:
    """Return the present time, aware."""
    return datetime.now(UTC)


def iso(moment: datetime) -> str:
    """Return a time as rows keep it: UTC with microseconds and `Z`, so that texts sort."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
