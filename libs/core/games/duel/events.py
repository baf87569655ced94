"""What can have happened in a duel; stored for ever."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import TypeAlias

from msgspec import Struct

from libs.core import facts as fact
from libs.core.facts import Outcome
from libs.core.games.guesses import moved
from libs.core.messages import Event, GameId, PlayerId


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """The game exists, and its maker has the first seat."""

    game: GameId
    maker: PlayerId
    guest: bool
    words: str  # the edition of the word lists that this game keeps
    expires_at: datetime | None  # an invite until then; none: a rival's game


class SecretSet(Event, frozen=True, kw_only=True, tag="secret_set"):
    """A player has set the word that the other must find."""

    by: PlayerId
    word: str
    salt: str
    commitment: str


class Joined(Event, frozen=True, kw_only=True, tag="joined"):
    """The second seat has its player."""

    player: PlayerId
    guest: bool


class Started(Event, frozen=True, kw_only=True, tag="started"):
    """The game belongs to this Eastern day and closes at the midnight that ends it."""

    day: date
    closes_at: datetime
    players: tuple[PlayerId, PlayerId]
    rivals: bool  # both are signed in


class Guessed(Event, frozen=True, kw_only=True, tag="guessed"):
    """A guess was taken. The marks are stored, so that a later change of rule changes no past game."""

    by: PlayerId
    word: str
    marks: str
    number: int  # 1 to 6


class Withdrawn(Event, frozen=True, kw_only=True, tag="withdrawn"):
    """The maker took the invite back."""


class Expired(Event, frozen=True, kw_only=True, tag="expired"):
    """Nobody took the invite in time."""


class Score(Struct, frozen=True, kw_only=True):
    """What the end means for one player."""

    player: PlayerId
    outcome: Outcome
    guesses: int
    solved: bool


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """Both have finished, or midnight has come: `at` is the last guess or that midnight, whenever it was noticed.

    A game that waits for a secret can end before, without a guess: when it is known that none will come.
    """

    scores: tuple[Score, ...]


DuelEvent: TypeAlias = Opened | SecretSet | Joined | Started | Guessed | Withdrawn | Expired | Ended


def facts(event: DuelEvent) -> Iterable[fact.Fact]:
    """The event in the words that all games share."""
    match event:
        case Opened():
            yield fact.Made(maker=event.maker, expires_at=event.expires_at)
            yield fact.Seated(player=event.maker, seat=0, guest=event.guest)
        case Joined():
            yield fact.Seated(player=event.player, seat=1, guest=event.guest)
        case Started():
            yield fact.Began(day=event.day, closes_at=event.closes_at, rivals=event.rivals)
        case Guessed():
            yield moved(event.by, event.marks, event.number)
        case Ended():
            yield fact.Over(
                scores=tuple(
                    fact.Scored(player=s.player, outcome=s.outcome, guesses=s.guesses, solved=s.solved)
                    for s in event.scores
                )
            )
        case Withdrawn():
            yield fact.Void(why="withdrawn")
        case Expired():
            yield fact.Void(why="expired")
        case SecretSet():
            yield fact.SecretSet(player=event.by)


def claims(event: DuelEvent) -> Iterable[str]:
    """Rivals have at most one duel together for each Eastern day: its start claims the day for the pair."""
    if isinstance(event, Started) and event.rivals:
        first, second = sorted(event.players)
        yield f"pair:duel:{first}:{second}:{event.day}"
