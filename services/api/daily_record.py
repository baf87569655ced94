"""A player's own record in the Daily: statistics of all days, and a calendar month."""

import re
from datetime import date, timedelta
from typing import Any

from litestar import get
from msgspec import Struct

from libs.core.calendar import eastern_day
from libs.core.daily_order import FIRST_DAY
from libs.core.daily_scores import FAILED
from libs.core.daily_statistics import streak_on
from services.api.daily_results import State, state
from services.api.doc import answers, problems
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request

NEWEST = 30
"""So many results are named beside the statistics."""

_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
STATISTICS = """
select played, solved, histogram, streak, streak_end, longest from daily.statistics where player = %s
"""
NEWEST_RESULTS = """
select day, game::text, guesses, solved, finished, elapsed_ms from daily.results where owner = %s and counted
order by day desc limit %s
"""
DAYS = """
select day, game::text, guesses, solved, finished, elapsed_ms from daily.results
where owner = %s and counted and day between %s and %s
"""
_WORDS = "select day, word from daily.days where day between %s and %s and word is not null"


class DayResult(Struct, frozen=True, kw_only=True):
    """One's own result of a day."""

    day: date
    game: str
    state: State
    guesses: int
    elapsed_ms: int | None


class Statistics(Struct, frozen=True, kw_only=True):
    """What has come of all days that one has finished, and the newest results, also unfinished ones.

    The streak is Eastern days in a row solved; today, as long as it lasts, does not end it.
    """

    played: int
    solved: int
    streak: int
    longest_streak: int
    histogram: dict[str, int]
    days: list[DayResult]


class CalendarDay(Struct, frozen=True, kw_only=True):
    """A day and what one has made of it: null for one without a result. The word once the day is over."""

    day: date
    result: DayResult | None
    word: str | None


class Calendar(Struct, frozen=True, kw_only=True):
    """The days of a month on which there was a Daily, up to today."""

    month: str
    days: list[CalendarDay]


@get(
    "/daily/statistics",
    summary="See one's record",
    responses=answers(Statistics) | problems("unauthorized", "reads_down"),
)
async def statistics(request: Request) -> Reply:
    """The player's own record; an account's holds what its guests have brought along."""
    parts, player = request.parts, request.visit.who.player
    newest = await parts.database.rows(NEWEST_RESULTS, (player, NEWEST))  # first: what is named is also counted
    rows = await parts.database.rows(STATISTICS, (player,))
    played, solved, histogram, streak, streak_end, longest = rows[0] if rows else (0, 0, [0] * FAILED, 0, None, 0)
    return reply(
        Statistics(
            played=played,
            solved=solved,
            streak=streak_on(eastern_day(request.visit.received), streak, streak_end),
            longest_streak=longest,
            histogram={str(number): n for number, n in enumerate(histogram[:-1], 1)} | {"failed": histogram[-1]},
            days=[_result(row) for row in newest],
        )
    )


@get("/daily/calendar", summary="See a month", responses=answers(Calendar) | problems("unauthorized", "reads_down"))
async def calendar(request: Request, month: str) -> Reply:
    """The player's own results of a month, such as 2026-03."""
    parts, player = request.parts, request.visit.who.player
    first, last = _month(month)
    first, last = max(first, FIRST_DAY), min(last, eastern_day(request.visit.received))
    results = {row[0]: _result(row) for row in await parts.database.rows(DAYS, (player, first, last))}
    words = dict(await parts.database.rows(_WORDS, (first, last)))
    days = [first + timedelta(days=place) for place in range((last - first).days + 1)]
    found = [CalendarDay(day=day, result=results.get(day), word=words.get(day)) for day in days]
    return reply(Calendar(month=month, days=found))


def _result(row: Any) -> DayResult:
    day, game, guesses, solved, finished, elapsed_ms = row
    return DayResult(
        day=day, game=game, state=state(solved=solved, finished=finished), guesses=guesses, elapsed_ms=elapsed_ms
    )


def _month(text: str) -> tuple[date, date]:
    """The first and the last day of a month. Raises `Problem` (malformed)."""
    try:
        if not _MONTH.fullmatch(text):
            raise ValueError(text)
        first = date.fromisoformat(f"{text}-01")
        return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    except (ValueError, OverflowError):
        raise Problem("malformed", detail="A month such as 2026-03.", where="month") from None
