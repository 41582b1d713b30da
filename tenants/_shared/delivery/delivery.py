"""Working days, for the tool deliveryDate."""

from datetime import date, timedelta

SATURDAY = 5


def add_working_days(day: date, count: int) -> date:
    """Return the working day that is `count` working days after `day`."""
    while count > 0:
        day += timedelta(days=1)
        if day.weekday() < SATURDAY:
            count -= 1
    return day


def delivery_date(results, args, ctx):
    """Return the day of arrival and its weekday."""
    log = ctx["logger"]
    log.info("working out the delivery", {"working_days": args["working_days"]})
    shipped = date.fromisoformat(args["shipped_on"])
    arrives = add_working_days(shipped, args["working_days"])
    log.success("delivery worked out", {"arrives_on": arrives.isoformat()})
    return {"shipped_on": shipped, "arrives_on": arrives, "weekday": arrives.strftime("%A")}
