"""The occasions: which events of a game are told to whom. Whether somebody wants to hear of them is not known here."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias, get_args
from uuid import UUID

from msgspec import Struct

from libs.core.calendar import INVITE_LASTS, begin_of, close_of, eastern_day
from libs.core.facts import Began, Drawn, Fact, Made, Moved, Seated, Solo
from libs.core.messages import PlayerId

Occasion: TypeAlias = Literal["invite_taken", "rival_started", "opponent_finished", "last_hour"]
OCCASIONS: tuple[Occasion, ...] = get_args(Occasion)

OLDEST = timedelta(hours=1)
"""What happened longer ago is told to nobody any more."""

LAST_HOUR = timedelta(hours=1)
LATEST = timedelta(minutes=5)
"""So long before midnight nobody is told that it is near: they would come too late."""


class Notice(Struct, frozen=True, kw_only=True):
    """Something to tell the player in a seat, about the one in another; no longer from `until` (UTC) on."""

    occasion: Occasion
    seat: PlayerId
    other: PlayerId
    at: datetime
    until: datetime

    def is_late(self, now: datetime) -> bool:
        """Is it too late, at this instant, to tell it?"""
        return now >= self.until or now - self.at > OLDEST


def concerns(facts: Iterable[Fact]) -> bool:
    """May these facts of one command be an occasion? Whoever plays alone has nobody to tell."""
    facts = tuple(facts)
    alone = any(isinstance(fact, Drawn | Solo) for fact in facts)
    return not alone and any(isinstance(fact, Began) or (isinstance(fact, Moved) and fact.finished) for fact in facts)


def notices(before: Sequence[Fact], now: Sequence[tuple[datetime, Fact]], by: PlayerId) -> Iterator[Notice]:
    """What the facts of one command, asked by this player, are worth telling after all that came before it."""
    new = [fact for _, fact in now]
    everything = [*before, *new]
    seats = [fact.player for fact in everything if isinstance(fact, Seated)]
    closes = next((fact.closes_at for fact in everything if isinstance(fact, Began)), None)
    if closes is None:
        return
    begins: Occasion = "rival_started" if any(isinstance(fact, Made) for fact in new) else "invite_taken"
    for at, fact in now:
        match fact:
            case Began():
                told, who = begins, by
            case Moved(finished=True):
                told, who = "opponent_finished", fact.player
            case _:
                continue
        for seat in seats:
            if seat != who:
                yield Notice(occasion=told, seat=seat, other=who, at=at, until=closes)


def nearing(now: datetime) -> date | None:
    """The Eastern day whose last hour it is, as long as it helps to say so."""
    day = eastern_day(now)
    left = close_of(day) - now
    return day if LATEST <= left <= LAST_HOUR else None


def oldest_game(day: date) -> UUID:
    """No game that is played on this Eastern day has a lower id: it was made then, or as an invite before."""
    made = begin_of(day) - INVITE_LASTS - timedelta(hours=1)
    return UUID(int=int(made.timestamp() * 1000) << 80)
