"""When a day's commitment is published, and when it is opened."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import assert_never

from libs.core import daily
from libs.core.calendar import close_of
from libs.core.daily import Secret
from libs.core.daily_order import FIRST_DAY
from libs.core.games.day.commands import Announce, DayCommand, Wake
from libs.core.games.day.events import Announced, DayEvent, Revealed
from libs.core.games.day.state import Day
from libs.core.messages import CLOCK, Asker
from libs.core.refusals import Reason, Refused


def decide(day: Day, command: DayCommand, asker: Asker, now: datetime) -> Sequence[DayEvent]:
    """The events that follow from a command received at `now` (UTC). Raises `Refused`."""
    if asker.by != CLOCK:
        raise Refused(Reason.NOT_A_PLAYER)
    match command:
        case Announce():
            return _announce(day, command, asker, now)
        case Wake():
            return _wake(day, asker, now)
        case _:
            assert_never(command)


def _announce(day: Day, command: Announce, asker: Asker, now: datetime) -> Sequence[DayEvent]:
    if day.announced:
        return []
    if command.day < FIRST_DAY or now >= close_of(command.day):
        raise Refused(Reason.CLOSED)
    return [Announced(at=now, day=command.day, commitment=_secret(asker, command.day).commitment)]


def _wake(day: Day, asker: Asker, now: datetime) -> Sequence[DayEvent]:
    if day.announced is None or day.revealed or now < close_of(day.announced.day):
        return []
    secret = _secret(asker, day.announced.day)
    return [Revealed(at=close_of(day.announced.day), day=day.announced.day, word=secret.word, salt=secret.salt)]


def _secret(asker: Asker, day: date) -> Secret:
    if not asker.daily_key:
        raise Refused(Reason.NOT_POSSIBLE)
    return daily.secret_of(asker.daily_key, day)
