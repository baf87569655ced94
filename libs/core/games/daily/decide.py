"""The rules of the Daily: a command becomes events, or is refused with its reason."""

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

from libs.core import daily, lexicon
from libs.core.calendar import close_of, eastern_day
from libs.core.daily_order import FIRST_DAY
from libs.core.games.daily.commands import DailyCommand, Guess, Resign, Wake
from libs.core.games.daily.events import Begun, DailyEvent, Guessed
from libs.core.games.daily.state import Attempt, end_of, evolve
from libs.core.marks import letters, mark
from libs.core.messages import CLOCK, Asker
from libs.core.refusals import Reason, Refused


def decide(attempt: Attempt, command: DailyCommand, asker: Asker, now: datetime) -> Sequence[DailyEvent]:
    """The events that follow from a command received at `now` (UTC). Raises `Refused`."""
    match command:
        case Guess():
            return _guess(attempt, command, asker, now)
        case Resign():
            _own(attempt, asker)
            raise Refused(Reason.NOT_POSSIBLE)
        case Wake():
            return _wake(attempt, asker, now)
        case _:
            assert_never(command)


def _guess(attempt: Attempt, command: Guess, asker: Asker, now: datetime) -> Sequence[DailyEvent]:
    begun = _own(attempt, asker) if attempt.begun else _begin(asker, now)
    if now >= begun.closes_at or command.day not in (None, begun.day):
        raise Refused(Reason.CLOSED)
    if attempt.finished:
        raise Refused(Reason.FINISHED)
    word = letters(command.word)
    if word not in lexicon.edition(begun.words).guesses:
        raise Refused(Reason.UNKNOWN_WORD)
    number = len(attempt.guesses) + 1
    guessed = Guessed(at=now, by=asker.by, word=word, marks=mark(word, begun.word), number=number)
    events: list[DailyEvent] = [guessed] if attempt.begun else [begun, guessed]
    after = evolve(attempt, guessed)
    return [*events, end_of(after, begun)] if after.finished else events


def _begin(asker: Asker, now: datetime) -> Begun:
    """The attempt that a first guess makes: today's, whichever day the guess names."""
    day = eastern_day(now)
    if not asker.daily_key:
        raise Refused(Reason.NOT_POSSIBLE)
    if day < FIRST_DAY:
        raise Refused(Reason.CLOSED)
    secret = daily.secret_of(asker.daily_key, day)
    return Begun(
        at=now,
        game=daily.attempt_id(asker.by, day),
        day=day,
        player=asker.by,
        guest=asker.guest,
        origin=asker.origin if asker.guest else "",
        words=secret.words,
        word=secret.word,
        commitment=secret.commitment,
        closes_at=close_of(day),
    )


def _wake(attempt: Attempt, asker: Asker, now: datetime) -> Sequence[DailyEvent]:
    if asker.by != CLOCK:
        raise Refused(Reason.NOT_A_PLAYER)
    begun = attempt.begun
    if begun is None or attempt.ended or now < begun.closes_at:
        return []
    return [end_of(attempt, begun)]


def _own(attempt: Attempt, asker: Asker) -> Begun:
    if attempt.begun is None:
        raise Refused(Reason.UNKNOWN_GAME)
    if attempt.begun.player != asker.by:
        raise Refused(Reason.NOT_A_PLAYER)
    return attempt.begun
