"""Days and midnights: the Eastern day of the Duel and the Daily, the UTC day of Tower and the Daily Rush.

Eastern means America/New_York with its daylight saving; the zone data comes with the program, not with the machine.
"""

from datetime import UTC, date, datetime, time, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo


def _eastern() -> ZoneInfo:
    with files("tzdata.zoneinfo.America").joinpath("New_York").open("rb") as data:
        return ZoneInfo.from_file(data, key="America/New_York")


EASTERN = _eastern()
INVITE_LASTS = timedelta(days=7)


def eastern_day(moment: datetime) -> date:
    """The Eastern day of an instant."""
    return moment.astimezone(EASTERN).date()


def begin_of(day: date) -> datetime:
    """The midnight, in UTC, that begins this Eastern day."""
    return close_of(day - timedelta(days=1))


def close_of(day: date) -> datetime:
    """The midnight, in UTC, that ends this Eastern day."""
    return datetime.combine(day + timedelta(days=1), time(), EASTERN).astimezone(UTC)


def utc_day(moment: datetime) -> date:
    """The UTC day of an instant."""
    return moment.astimezone(UTC).date()


def invite_expires(made: datetime) -> datetime:
    """When an invite made then can no longer be taken: 604,800 seconds later exactly."""
    return made + INVITE_LASTS
