"""What a duel remembers."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from libs.core.decider import Invitation, Standing
from libs.core.games.duel import result
from libs.core.games.duel.events import (
    DuelEvent,
    Ended,
    Expired,
    Guessed,
    Joined,
    Opened,
    Score,
    SecretSet,
    Started,
    Withdrawn,
)
from libs.core.games.guesses import Guesser
from libs.core.messages import GameId, PlayerId

KIND = "duel"

InviteState: TypeAlias = Literal["open", "used", "withdrawn", "expired"]


class Seat(Guesser, frozen=True, kw_only=True):
    """One player's side: the secret set for the other, and the own guesses at the other's."""

    player: PlayerId
    guest: bool
    secret: str | None = None
    salt: str | None = None
    commitment: str | None = None
    guesses: tuple[Guessed, ...] = ()


class Duel(Struct, frozen=True, kw_only=True):
    """A duel after some of its events; the default is the duel before anything happened."""

    game: GameId = ""
    words: str = ""
    seats: tuple[Seat, ...] = ()
    expires_at: datetime | None = None
    void: Literal["withdrawn", "expired"] | None = None
    day: date | None = None
    closes_at: datetime | None = None
    ended: Ended | None = None

    @property
    def ready(self) -> bool:
        """Are both secrets set?"""
        return len(self.seats) == 2 and bool(self.seats[0].secret and self.seats[1].secret)

    @property
    def invite(self) -> InviteState:
        """What has become of its invite, as far as events say: one may be open though its time is up."""
        return "used" if len(self.seats) == 2 else self.void or "open"

    def seat(self, player: PlayerId) -> Seat | None:
        """This player's side, if they have one."""
        for seat in self.seats:
            if seat.player == player:
                return seat
        return None

    def other(self, player: PlayerId) -> Seat | None:
        """The opposite side, if it has a player."""
        for seat in self.seats:
            if seat.player != player:
                return seat
        return None


def evolve(duel: Duel, event: DuelEvent) -> Duel:
    """The duel after one more event."""
    match event:
        case Opened():
            seat = Seat(player=event.maker, guest=event.guest)
            return replace(duel, game=event.game, words=event.words, expires_at=event.expires_at, seats=(seat,))
        case SecretSet():
            return _with(duel, event.by, secret=event.word, salt=event.salt, commitment=event.commitment)
        case Joined():
            return replace(duel, seats=(*duel.seats, Seat(player=event.player, guest=event.guest)))
        case Started():
            return replace(duel, day=event.day, closes_at=event.closes_at)
        case Guessed():
            seat = next(seat for seat in duel.seats if seat.player == event.by)
            return _with(duel, event.by, guesses=(*seat.guesses, event))
        case Withdrawn():
            return replace(duel, void="withdrawn")
        case Expired():
            return replace(duel, void="expired")
        case Ended():
            return replace(duel, ended=event)
        case _:
            assert_never(event)


def _with(duel: Duel, player: PlayerId, **changes: object) -> Duel:
    seats = [replace(seat, **changes) if seat.player == player else seat for seat in duel.seats]
    return replace(duel, seats=tuple(seats))


def scores(seats: Sequence[Seat]) -> tuple[Score, ...]:
    """What the end means for two players as they stand."""
    first, second = seats
    return tuple(
        Score(player=seat.player, outcome=outcome, guesses=len(seat.guesses), solved=seat.solved)
        for seat, outcome in zip(seats, result.outcomes(first.rows, second.rows), strict=True)
    )


def due(duel: Duel) -> datetime | None:
    """When time itself must speak: the end of an invite, or the midnight."""
    if duel.void or duel.ended:
        return None
    return duel.closes_at or duel.expires_at


def standing(duel: Duel) -> Standing:
    """What the services must know; chat is open from the second secret to the midnight, the end of play or not."""
    return Standing(
        players=tuple(seat.player for seat in duel.seats),
        ended=duel.ended is not None or duel.void is not None,
        due=due(duel),
        chat_until=duel.closes_at if duel.ready else None,
    )


def invitation(duel: Duel, now: datetime) -> Invitation | None:
    """The invite this duel is or was: open, used, withdrawn or expired."""
    if duel.expires_at is None:
        return None
    state = "expired" if duel.invite == "open" and now >= duel.expires_at else duel.invite
    return Invitation(maker=duel.seats[0].player, state=state, expires_at=duel.expires_at)
