"""What is told of a day; stored for ever."""

from collections.abc import Iterable
from datetime import date
from typing import TypeAlias

from libs.core import facts as fact
from libs.core.messages import Event


class Announced(Event, frozen=True, kw_only=True, tag="announced"):
    """From now on everybody can see what the day's word will be held to."""

    day: date
    commitment: str


class Revealed(Event, frozen=True, kw_only=True, tag="revealed"):
    """The day is over: this was the word, and this salt opens the commitment. `at` is the midnight that ended it."""

    day: date
    word: str
    salt: str


DayEvent: TypeAlias = Announced | Revealed


def facts(event: DayEvent) -> Iterable[fact.Fact]:
    """The event in the words of the projections."""
    match event:
        case Announced():
            yield fact.Announced(day=event.day, commitment=event.commitment)
        case Revealed():
            yield fact.Revealed(day=event.day, word=event.word, salt=event.salt)


def claims(_: DayEvent) -> Iterable[str]:
    """Nothing: the id of a day says which it is."""
    return ()
