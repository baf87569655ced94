"""Attempts that the tests share: ann's of 15 January 2026, whose word is quote."""

from datetime import UTC, date, datetime, timedelta

from libs.core import daily
from libs.core.calendar import close_of
from libs.core.games.daily.events import Begun, Ended, Guessed
from libs.core.marks import mark
from tests.given import DAILY_KEY

DAY = date(2026, 1, 15)
NOON = datetime(2026, 1, 15, 17, tzinfo=UTC)
MIDNIGHT = datetime(2026, 1, 16, 5, tzinfo=UTC)
SECRET = daily.secret_of(DAILY_KEY, DAY)
WRONG = ("slate", "crane", "eerie", "allot", "sassy", "geese")


def after(seconds: float) -> datetime:
    """This long after noon."""
    return NOON + timedelta(seconds=seconds)


def begun(at: datetime = NOON, *, guest: bool = False, origin: str = "", day: date = DAY) -> Begun:
    secret = daily.secret_of(DAILY_KEY, day)
    return Begun(
        at=at,
        game=daily.attempt_id("ann", day),
        day=day,
        player="ann",
        guest=guest,
        origin=origin,
        words="55b48d48",
        word=secret.word,
        commitment=secret.commitment,
        closes_at=close_of(day),
    )


def guessed(word: str, number: int = 1, seconds: float = 0) -> Guessed:
    return Guessed(at=after(seconds), by="ann", word=word, marks=mark(word, SECRET.word), number=number)


def ended(at: datetime, *, solved: bool, guesses: int, elapsed_us: int | None = None) -> Ended:
    return Ended(
        at=at, day=DAY, player="ann", guest=False, origin="", solved=solved, guesses=guesses, elapsed_us=elapsed_us
    )


FIVE = (begun(), *(guessed(word, number, number - 1) for number, word in enumerate(WRONG[:5], 1)))
SOLVED = (begun(), guessed("quote"), ended(NOON, solved=True, guesses=1, elapsed_us=0))
