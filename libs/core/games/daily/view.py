"""What a player may see of the own attempt at the Daily, built field by field: the word only once it is over."""

from datetime import date, datetime
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from libs.core.calendar import close_of
from libs.core.daily import attempt_id, edition_of
from libs.core.games.daily.state import KIND, Attempt
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason, Refused

State: TypeAlias = Literal["open", "solved", "failed", "closed"]


class OwnGuess(Struct, frozen=True, kw_only=True):
    """A guess and what it was told."""

    word: str
    marks: str
    at: datetime


class DailyView(Struct, frozen=True, kw_only=True):
    """One numbered whole view; version 0 is that before the first guess.

    `failed`: all guesses used; `closed`: midnight came first.
    """

    id: GameId
    kind: str
    state: State
    day: date
    closes_at: datetime
    version: int
    words: str
    guesses: tuple[OwnGuess, ...]
    elapsed_ms: int | None  # from the first guess to the one that solved it
    word: str | None
    commitment: str | None  # none as long as the day was not announced


def view(attempt: Attempt, player: PlayerId, version: int) -> DailyView:
    """What this player may see of this version. Raises `Refused` for anybody but whose attempt it is."""
    begun, ended = attempt.begun, attempt.ended
    if begun is None:
        raise Refused(Reason.UNKNOWN_GAME)
    if player != begun.player:
        raise Refused(Reason.NOT_A_PLAYER)
    return DailyView(
        id=begun.game,
        kind=KIND,
        state=_state(attempt),
        day=begun.day,
        closes_at=begun.closes_at,
        version=version,
        words=begun.words,
        guesses=tuple(OwnGuess(word=one.word, marks=one.marks, at=one.at) for one in attempt.guesses),
        elapsed_ms=None if ended is None or ended.elapsed_us is None else ended.elapsed_us // 1000,
        word=begun.word if ended else None,
        commitment=begun.commitment,
    )


def unplayed(player: PlayerId, day: date, commitment: str | None, word: str | None, *, over: bool) -> DailyView:
    """What a player sees who has not guessed on that day; `word` once everybody may know it."""
    return DailyView(
        id=attempt_id(player, day),
        kind=KIND,
        state="closed" if over else "open",
        day=day,
        closes_at=close_of(day),
        version=0,
        words=edition_of(day),
        guesses=(),
        elapsed_ms=None,
        word=word if over else None,
        commitment=commitment,
    )


def closed(view: DailyView, word: str | None) -> DailyView:
    """A board whose day is over, though nobody has told the attempt yet; `word` as far as that is revealed."""
    return replace(view, state="closed", word=word)


def end_of(view: DailyView) -> datetime:
    """When a board has ended, or ends if nothing more is guessed (UTC): with the last guess, or at its midnight."""
    return view.guesses[-1].at if view.state in ("solved", "failed") else view.closes_at


def _state(attempt: Attempt) -> State:
    if attempt.ended is None:
        return "open"
    if attempt.solved:
        return "solved"
    return "failed" if attempt.finished else "closed"
