"""What can have happened in an attempt at the Daily; stored for ever."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import TypeAlias

from libs.core import facts as fact
from libs.core.games.guesses import GUESSES, moved
from libs.core.messages import Event, GameId, PlayerId


class Begun(Event, frozen=True, kw_only=True, tag="begun"):
    """The player has made the first guess of the day: this is their attempt, and it closes at the day's midnight."""

    game: GameId
    day: date
    player: PlayerId
    guest: bool
    origin: str  # a guest's network address as a digest that is good for this day; empty for an account
    words: str  # the edition of the word lists that the day is played with
    word: str
    commitment: str
    closes_at: datetime


class Guessed(Event, frozen=True, kw_only=True, tag="guessed"):
    """A guess was taken. The marks are stored, so that a later change of rule changes no past game."""

    by: PlayerId
    word: str
    marks: str
    number: int  # 1 to 6


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """It was solved, all guesses are used, or midnight has come: `at` is the last guess or that midnight."""

    day: date
    player: PlayerId
    guest: bool
    origin: str
    solved: bool
    guesses: int
    elapsed_us: int | None  # microseconds from the first guess to the one that solved it; none if none did


DailyEvent: TypeAlias = Begun | Guessed | Ended


def facts(event: DailyEvent) -> Iterable[fact.Fact]:
    """The event in the words that all games share."""
    match event:
        case Begun():
            yield fact.Made(maker=event.player, keyed=False)
            yield fact.Seated(player=event.player, seat=0, guest=event.guest)
            yield fact.Began(day=event.day, closes_at=event.closes_at, rivals=False)
            yield fact.Drawn(day=event.day, word=event.word, commitment=event.commitment)
        case Guessed():
            yield moved(event.by, event.marks, event.number)
        case Ended():
            yield fact.Over(scores=())
            yield fact.Solo(
                day=event.day,
                player=event.player,
                guest=event.guest,
                origin=event.origin,
                guesses=event.guesses,
                solved=event.solved,
                finished=event.solved or event.guesses == GUESSES,
                elapsed_us=event.elapsed_us,
                finished_at=event.at,
            )


def claims(_: DailyEvent) -> Iterable[str]:
    """Nothing: a player has one attempt a day because its id says whose and when."""
    return ()
