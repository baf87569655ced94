"""What an attempt at the Daily remembers."""

from datetime import datetime, timedelta
from typing import assert_never

from msgspec.structs import replace

from libs.core.decider import Invitation, Standing
from libs.core.games.daily.events import Begun, DailyEvent, Ended, Guessed
from libs.core.games.guesses import Guesser

KIND = "daily"


class Attempt(Guesser, frozen=True, kw_only=True):
    """One player's attempt of one day after some of its events; the default is the one before anything happened."""

    begun: Begun | None = None
    guesses: tuple[Guessed, ...] = ()
    ended: Ended | None = None


def evolve(attempt: Attempt, event: DailyEvent) -> Attempt:
    """The attempt after one more event."""
    match event:
        case Begun():
            return replace(attempt, begun=event)
        case Guessed():
            return replace(attempt, guesses=(*attempt.guesses, event))
        case Ended():
            return replace(attempt, ended=event)
        case _:
            assert_never(event)


def end_of(attempt: Attempt, begun: Begun) -> Ended:
    """How an attempt ends as it stands: with its last guess if it is finished, else at its midnight."""
    elapsed = None
    if attempt.solved:
        elapsed = (attempt.guesses[-1].at - attempt.guesses[0].at) // timedelta(microseconds=1)
    return Ended(
        at=attempt.guesses[-1].at if attempt.finished else begun.closes_at,
        day=begun.day,
        player=begun.player,
        guest=begun.guest,
        origin=begun.origin,
        solved=attempt.solved,
        guesses=len(attempt.guesses),
        elapsed_us=elapsed,
    )


def standing(attempt: Attempt) -> Standing:
    """What the services must know; nobody chats in the Daily."""
    begun, ended = attempt.begun, attempt.ended is not None
    return Standing(
        players=(begun.player,) if begun else (),
        ended=ended,
        due=begun.closes_at if begun and not ended else None,
        chat_until=None,
    )


def invitation(_: Attempt, __: datetime) -> Invitation | None:
    """None: it is played alone."""
    return None
