"""A player's own record in the Daily: statistics of all days, and a calendar month."""

import re
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from litestar import get
from msgspec import Struct

from libs.core import daily_statistics
from libs.core.calendar import eastern_day
from libs.core.daily_order import FIRST_DAY
from libs.core.daily_statistics import streak_on
from libs.runtime.bus import Unavailable
from services.api.daily_own import State, played, state
from services.api.doc import answers, problems
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request, Visit

NEWEST = 30
"""So many results are named beside the statistics."""

_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")
STATISTICS = """
select played, solved, histogram, streak, streak_end, longest, last_day from daily.statistics where player = %s
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
    """A day and what one has made of it: null for one without a result.

    The word once the day is over; null for good where the service had none.
    """

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
    parts, visit = request.parts, request.visit
    player, today = visit.who.player, eastern_day(visit.received)
    rows = await parts.database.rows(STATISTICS, (player,))
    record = _record(rows[0]) if rows else daily_statistics.Statistics()
    days = [_result(row) for row in await parts.database.rows(NEWEST_RESULTS, (player, NEWEST))]
    if record.follows(today) and (new := await _new(parts, visit, today)):
        record.add(today, new.guesses, solved=new.state == "solved", finished=new.state != "closed")
        days = [new, *(day for day in days if day.day != today)][:NEWEST]  # it may have come into this table since
    return reply(
        Statistics(
            played=record.played,
            solved=record.solved,
            streak=streak_on(today, record.streak, record.streak_end),
            longest_streak=record.longest,
            histogram={str(number): n for number, n in enumerate(record.histogram[:-1], 1)}
            | {"failed": record.histogram[-1]},
            days=days,
        )
    )


@get("/daily/calendar", summary="See a month", responses=answers(Calendar) | problems("reads_down"))
async def calendar(request: Request, month: str) -> Reply:
    """The days of a month, such as 2026-03, with the player's own results; without any for who is nobody yet."""
    parts, visit = request.parts, request.visit
    today = eastern_day(visit.received)
    first, last = _month(month)
    first, last = max(first, FIRST_DAY), min(last, today)
    results: dict[date, DayResult] = {}
    if visit.session is not None:
        asked = (visit.session.player, first, last)
        results = {row[0]: _result(row) for row in await parts.database.rows(DAYS, asked)}
        if last == today and today not in results and (new := await _new(parts, visit, today)):
            results[today] = new
    words = dict(await parts.database.rows(_WORDS, (first, last)))
    days = [first + timedelta(days=place) for place in range((last - first).days + 1)]
    found = [CalendarDay(day=day, result=results.get(day), word=words.get(day)) for day in days]
    return reply(Calendar(month=month, days=found))


async def _new(parts: Parts, visit: Visit, today: date) -> DayResult | None:
    """Today's result while it is too new for the tables; none if it is not known now."""
    with suppress(Unavailable):
        if mine := await played(parts, visit, today):
            return DayResult(
                day=today, game=mine.game, state=mine.state, guesses=mine.guesses, elapsed_ms=mine.elapsed_ms
            )
    return None


def _record(row: Any) -> daily_statistics.Statistics:
    fields = daily_statistics.Statistics.__struct_fields__
    return daily_statistics.Statistics(**dict(zip(fields, row, strict=True)))


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
