"""What a day remembers, and what anybody may see of it."""

from datetime import date, datetime
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from libs.core.calendar import close_of
from libs.core.daily import day_id
from libs.core.decider import Invitation, Standing
from libs.core.games.day.events import Announced, DayEvent, Revealed
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason, Refused

KIND = "day"


class Day(Struct, frozen=True, kw_only=True):
    """A day after some of its events; the default is the day of which nothing has been told."""

    announced: Announced | None = None
    revealed: Revealed | None = None


class DayView(Struct, frozen=True, kw_only=True):
    """What anybody may see of a day; word and salt once it is over."""

    id: GameId
    kind: str
    version: int
    day: date
    commitment: str
    announced_at: datetime
    word: str | None
    salt: str | None


def evolve(day: Day, event: DayEvent) -> Day:
    """The day after one more event."""
    match event:
        case Announced():
            return replace(day, announced=event)
        case Revealed():
            return replace(day, revealed=event)
        case _:
            assert_never(event)


def standing(day: Day) -> Standing:
    """What the services must know: nobody sits here, and time speaks when the day is over."""
    over = day.revealed is not None
    return Standing(
        players=(),
        ended=over,
        due=close_of(day.announced.day) if day.announced and not over else None,
        chat_until=None,
    )


def view(day: Day, _: PlayerId, version: int) -> DayView:
    """What anybody may see. Raises `Refused` for a day of which nothing has been told."""
    if day.announced is None:
        raise Refused(Reason.UNKNOWN_GAME)
    return DayView(
        id=day_id(day.announced.day),
        kind=KIND,
        version=version,
        day=day.announced.day,
        commitment=day.announced.commitment,
        announced_at=day.announced.at,
        word=day.revealed.word if day.revealed else None,
        salt=day.revealed.salt if day.revealed else None,
    )


def invitation(_: Day, __: datetime) -> Invitation | None:
    """None: nobody is invited to a day."""
    return None
