"""A player's record in the Daily: how many, how well, and how many Eastern days in a row.

Days are days of the calendar, so a day of 23 or 25 hours is one like any other.
"""

from datetime import date, timedelta

from msgspec import Struct, field

from libs.core.daily_scores import FAILED

_DAY = timedelta(days=1)


class Statistics(Struct, kw_only=True):
    """What has come of all days up to the newest. A day left unfinished is not played, and ends a streak."""

    played: int = 0
    solved: int = 0
    histogram: list[int] = field(default_factory=lambda: [0] * FAILED)  # solved with 1 to 6 guesses; failed
    streak: int = 0  # days in a row solved, up to and with `streak_end`
    streak_end: date | None = None  # the newest day solved
    longest: int = 0
    last_day: date | None = None  # the newest day with a result, be it unfinished

    def follows(self, day: date) -> bool:
        """Is this day later than all before, so that it can be added?"""
        return self.last_day is None or self.last_day < day

    def add(self, day: date, guesses: int, *, solved: bool, finished: bool) -> None:
        """Add the result of a later day."""
        self.last_day = day
        if not finished:
            return
        self.played += 1
        self.histogram[(guesses if solved else FAILED) - 1] += 1
        if solved:
            self.solved += 1
            self.streak = self.streak + 1 if self.streak_end == day - _DAY else 1
            self.streak_end = day
            self.longest = max(self.longest, self.streak)


def streak_on(today: date, streak: int, streak_end: date | None) -> int:
    """How long the streak is today: a day that is not over yet does not end it."""
    return streak if streak_end is not None and streak_end >= today - _DAY else 0
