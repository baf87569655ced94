"""How a day of the Daily went: the distribution, the leaderboard, one's own place, and what one's rivals did."""

from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Annotated
from uuid import UUID

from litestar import get
from msgspec import Meta, Struct
from msgspec.structs import replace

from libs.core.calendar import eastern_day
from libs.core.daily_scores import FAILED, percentile
from libs.runtime.bus import Unavailable
from services.api import cursors
from services.api.daily import day_of, is_over
from services.api.daily_own import Mine, State, is_taken, kept, played, state
from services.api.daily_standing import (
    Entry,
    Placed,
    Standing,
    Totals,
    board,
    joined,
    placed,
    snapshot,
    standing,
    totals,
)
from services.api.doc import answers, problems
from services.api.names import Player
from services.api.parts import Parts
from services.api.problems import Problem
from services.api.replies import Reply, reply
from services.api.visits import Request, Visit

PAGE, LONGEST_PAGE = 20, 100

RIVALS = """
select rival, guesses, solved, finished, elapsed_ms
from (select distinct rival from results.rivals
    where player = %(player)s and rival not in (select blocked from blocks where player = %(player)s)) mine
left join daily.results on owner = rival and day = %(day)s and counted
order by finished desc nulls last, solved desc nulls last, guesses, elapsed_ms, finished_at, rival
"""


class Own(Struct, frozen=True, kw_only=True):
    """One's own result; the place for accounts that have solved it. `counted`: it is in the distribution."""

    state: State
    guesses: int
    elapsed_ms: int | None
    place: int | None
    counted: bool


class Place(Struct, frozen=True, kw_only=True):
    """A result on the leaderboard; equals in guesses and time share a place."""

    place: int
    player: Player
    guesses: int
    elapsed_ms: int


class Results(Struct, frozen=True, kw_only=True):
    """All results of a day, so far; `next` leads to the following places.

    The percentile says of how many of all who have finished, in percent, one's own score is better; equals count half.
    """

    day: date
    you: Own | None
    distribution: dict[str, int]
    finished: int
    percentile: float | None
    board: list[Place]
    next: str | None


class RivalResult(Struct, frozen=True, kw_only=True):
    """A rival's result; the state is null for one who has not ended the day."""

    player: Player
    state: State | None
    guesses: int | None
    elapsed_ms: int | None


class RivalResults(Struct, frozen=True, kw_only=True):
    """The results of all rivals, the best first."""

    day: date
    rivals: list[RivalResult]


class _Cursor(Struct, frozen=True, array_like=True):
    guesses: Annotated[int, Meta(ge=0, le=FAILED)]
    elapsed_ms: Annotated[int, Meta(ge=-1, le=2**31 - 1)]
    finished_at: datetime
    game: UUID


_START = _Cursor(0, -1, datetime(2026, 1, 1, tzinfo=UTC), UUID(int=0))


@get(
    "/daily/{day:str}/results",
    summary="See how a day went",
    responses=answers(Results) | problems("unknown_day", "not_finished", "reads_down", "try_again"),
)
async def results(request: Request, day: str, cursor: str | None = None, limit: int = PAGE) -> Reply:
    """The results of everybody, for who has finished the day; once the day is over, for anybody."""
    if not 1 <= limit <= LONGEST_PAGE:
        raise Problem("malformed", detail=f"1 to {LONGEST_PAGE}.", where="limit")
    parts, visit, after = request.parts, request.visit, _after(cursor)
    which = day_of(day, eastern_day(visit.received))
    mine = await _mine(parts, visit, which)
    async with parts.database.transaction() as connection:
        await snapshot(connection)
        if mine and not mine.listed:  # the tables may have followed since we asked
            mine = await kept(connection, visit.who, which) or mine
        if mine and mine.new and visit.who.guest:
            taken = await is_taken(connection, which, parts.dailies.origin(visit.address, which))
            mine = replace(mine, new=not taken)
        counted = await totals(connection, which)
        own = await standing(connection, counted, mine.number, mine.elapsed_ms) if mine and mine.finished else None
        found = await placed(connection, counted, await board(connection, which, after, limit + 1))
    listed = _listed(visit, mine, own) if mine and own else None
    if mine and listed and not mine.listed:
        found = joined(found, listed, after, goes_on=len(found) > limit)
    people = await parts.names.of({one.entry.owner for one in found})
    distribution = _distribution(counted, mine)
    return reply(
        Results(
            day=which,
            you=_own(mine, listed) if mine else None,
            distribution=distribution,
            finished=sum(distribution.values()),
            percentile=_percentile(counted, mine, own) if mine and own else None,
            board=[_place(one, people[one.entry.owner]) for one in found[:limit]],
            next=_cursor(found[limit - 1].entry) if len(found) > limit else None,
        )
    )


@get(
    "/daily/{day:str}/rivals",
    summary="Compare a day with rivals",
    responses=answers(RivalResults)
    | problems("unauthorized", "unknown_day", "not_finished", "reads_down", "try_again"),
)
async def rivals(request: Request, day: str) -> Reply:
    """What one's rivals did on that day, for who has finished it; once the day is over, in any case."""
    parts, visit = request.parts, request.visit
    player = visit.who.player
    which = day_of(day, eastern_day(visit.received))
    await _mine(parts, visit, which)
    rows = await parts.database.rows(RIVALS, {"player": player, "day": which})
    people = await parts.names.of({rival for rival, *_ in rows})
    found = [
        RivalResult(
            player=people[rival],
            state=None if solved is None else state(solved=solved, finished=finished),
            guesses=guesses,
            elapsed_ms=elapsed_ms,
        )
        for rival, guesses, solved, finished, elapsed_ms in rows
    ]
    return reply(RivalResults(day=which, rivals=found))


async def _mine(parts: Parts, visit: Visit, day: date) -> Mine | None:
    """One's own result, if there is one. Raises `Problem` (not_finished) if others' cannot be seen without one."""
    mine, over = None, is_over(day, visit)
    if visit.session is not None:
        async with parts.database.connection() as connection:
            mine = await kept(connection, visit.session, day)
        if mine is None:
            with suppress(*((Unavailable,) if over else ())):
                mine = await played(parts, visit, day)
    if not over and not (mine and mine.finished):
        raise Problem("not_finished")
    return mine


def _listed(visit: Visit, mine: Mine, own: Standing) -> Placed | None:
    """One's own row of the leaderboard, which is for accounts that have solved the day."""
    if visit.who.guest or mine.elapsed_ms is None:
        return None
    return Placed(own.place, Entry(visit.who.player, mine.guesses, mine.elapsed_ms, mine.finished_at, mine.game))


def _own(mine: Mine, listed: Placed | None) -> Own:
    return Own(
        state=mine.state,
        guesses=mine.guesses,
        elapsed_ms=mine.elapsed_ms,
        place=listed.place if listed else None,
        counted=mine.finished and (mine.shown or mine.new),
    )


def _place(one: Placed, player: Player) -> Place:
    return Place(place=one.place, player=player, guesses=one.entry.guesses, elapsed_ms=one.entry.elapsed_ms)


def _distribution(counted: Totals, mine: Mine | None) -> dict[str, int]:
    numbers = {number: counted.all.get(number, 0) for number in range(1, FAILED + 1)}
    if mine and mine.new and mine.finished:
        numbers[mine.number] += 1
    return {"failed" if number == FAILED else str(number): n for number, n in numbers.items()}


def _percentile(counted: Totals, mine: Mine, own: Standing) -> float:
    """As one of those who are shown, even if another guest of the same address is shown instead."""
    worse = counted.finished - own.better - own.equal
    oneself = 0 if mine.shown else 1
    return percentile(worse, own.equal + oneself, counted.finished + oneself)


def _after(cursor: str | None) -> Entry:
    """The entry that a cursor names. Raises `Problem` (malformed) for what is none."""
    after = cursors.read(cursor, _Cursor) if cursor else _START
    return Entry("", after.guesses, after.elapsed_ms, after.finished_at, str(after.game))


def _cursor(entry: Entry) -> str:
    return cursors.text_of(_Cursor(entry.guesses, entry.elapsed_ms, entry.finished_at, UUID(entry.game)))
