"""What one player may see of a duel, built field by field: of the other, marks and never letters until the end."""

from datetime import date, datetime
from typing import Literal

from msgspec import Struct

from libs.core.facts import Outcome
from libs.core.games.duel.events import Guessed
from libs.core.games.duel.state import KIND, Duel, InviteState, Seat
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason, Refused


class Player(Struct, frozen=True, kw_only=True):
    """A player; the edge fills in the name."""

    id: PlayerId
    name: str | None = None


class OwnGuess(Struct, frozen=True, kw_only=True):
    """A guess as its own player sees it."""

    word: str
    marks: str
    at: datetime


class You(Struct, frozen=True, kw_only=True):
    """The viewer's own side; `secret` is the word set for the opponent."""

    player: Player
    secret: str | None
    guesses: tuple[OwnGuess, ...]
    solved: bool
    finished: bool


class Opponent(Struct, frozen=True, kw_only=True):
    """The other side: rows of marks alone."""

    player: Player | None
    ready: bool
    rows: tuple[str, ...]
    solved: bool
    finished: bool


class Pair(Struct, frozen=True, kw_only=True):
    """Something that either side has."""

    you: str | None
    opponent: str | None


class Result(Struct, frozen=True, kw_only=True):
    """The end: all that was hidden."""

    outcome: Outcome
    ended_at: datetime
    secrets: Pair
    salts: Pair
    opponent_guesses: tuple[OwnGuess, ...]


class Invite(Struct, frozen=True, kw_only=True):
    """The invite that this game began as."""

    state: InviteState
    expires_at: datetime


class DuelView(Struct, frozen=True, kw_only=True):
    """One numbered whole view."""

    id: GameId
    kind: str
    state: Literal["waiting", "playing", "finished", "void"]
    day: date | None
    closes_at: datetime | None
    version: int
    words: str
    invite: Invite | None
    you: You
    opponent: Opponent
    commitments: Pair
    result: Result | None


def view(duel: Duel, player: PlayerId, version: int) -> DuelView:
    """What this player may see of this version. Raises `Refused` for who has no seat."""
    own = duel.seat(player)
    if own is None:
        raise Refused(Reason.NOT_A_PLAYER if duel.game else Reason.UNKNOWN_GAME)
    other = duel.other(player)
    return DuelView(
        id=duel.game,
        kind=KIND,
        state=_state(duel),
        day=duel.day,
        closes_at=duel.closes_at,
        version=version,
        words=duel.words,
        invite=_invite(duel),
        you=You(
            player=Player(id=own.player),
            secret=own.secret,
            guesses=_guesses(own),
            solved=own.solved,
            finished=own.finished,
        ),
        opponent=Opponent(
            player=Player(id=other.player) if other else None,
            ready=other is not None and other.secret is not None,
            rows=other.rows if other else (),
            solved=other is not None and other.solved,
            finished=other is not None and other.finished,
        ),
        commitments=Pair(you=own.commitment, opponent=other.commitment if other else None),
        result=_result(duel, own, other),
    )


def _state(duel: Duel) -> Literal["waiting", "playing", "finished", "void"]:
    if duel.void:
        return "void"
    if duel.ended:
        return "finished"
    return "playing" if duel.ready else "waiting"


def _invite(duel: Duel) -> Invite | None:
    if duel.expires_at is None:
        return None
    return Invite(state=duel.invite, expires_at=duel.expires_at)


def _guesses(seat: Seat) -> tuple[OwnGuess, ...]:
    return tuple(_guess(guess) for guess in seat.guesses)


def _guess(guess: Guessed) -> OwnGuess:
    return OwnGuess(word=guess.word, marks=guess.marks, at=guess.at)


def _result(duel: Duel, own: Seat, other: Seat | None) -> Result | None:
    if duel.ended is None or other is None:
        return None
    return Result(
        outcome=next(score.outcome for score in duel.ended.scores if score.player == own.player),
        ended_at=duel.ended.at,
        secrets=Pair(you=own.secret, opponent=other.secret),
        salts=Pair(you=own.salt, opponent=other.salt),
        opponent_guesses=_guesses(other),
    )
