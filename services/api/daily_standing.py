"""How a result of the Daily stands among all of its day, read without going through them.

How many are better is a sum over the day's counts: by number of guesses, then by minutes, then by seconds. Only the
results of one second are looked at one by one.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from msgspec import Struct

from libs.core.daily_scores import ALL, FAILED, MINUTE, SECOND
from libs.core.messages import PlayerId
from services.api.database import Connection

# Whatever the server knows of the tables, or does not know yet of a day that has just begun: the leaderboard is read in
# the order of its index, never sorted.
SNAPSHOT = "set transaction isolation level repeatable read, read only; set local enable_sort = off"
TOTALS = """
select guesses, n, members from daily.counts where day = %(day)s and width = %(all)s and guesses between 1 and %(most)s
"""
BETTER = """
with better as (
    select n, members from daily.counts where day = %(day)s and guesses = %(guesses)s and width = %(minute)s
        and bucket < %(minutes)s
    union all
    select n, members from daily.counts where day = %(day)s and guesses = %(guesses)s and width = %(second)s
        and bucket >= %(minutes)s * 60 and bucket < %(seconds)s
), near as (
    select elapsed_ms, 1 as member from daily.results where day = %(day)s and guesses = %(guesses)s
        and elapsed_ms between %(seconds)s * 1000 and %(ms)s and shown and solved and member
    union all
    select elapsed_ms, 0 from daily.results where day = %(day)s and guesses = %(guesses)s
        and elapsed_ms between %(seconds)s * 1000 and %(ms)s and shown and solved and not member
)
select coalesce(sum(n), 0)::int, coalesce(sum(members), 0)::int, coalesce(sum(equal), 0)::int from (
    select n, members, 0 as equal from better
    union all
    select (elapsed_ms < %(ms)s)::int, (elapsed_ms < %(ms)s)::int * member, (elapsed_ms = %(ms)s)::int from near
) all_of_them
"""
BOARD = """
select owner, guesses, elapsed_ms, finished_at, game::text as id from daily.results
where day = %(day)s and shown and solved and member
    and (guesses, elapsed_ms, finished_at, game) > (%(guesses)s, %(ms)s, %(finished_at)s, %(game)s)
order by guesses, elapsed_ms, finished_at, game limit %(limit)s
"""


class Totals:
    """How many of a day have which number of guesses (`FAILED`: all used, not solved)."""

    def __init__(self, day: date, rows: Sequence[tuple[int, int, int]]) -> None:
        """`rows`: a number of guesses, how many there are, and how many of these are of accounts."""
        self.day = day
        self.all = {guesses: n for guesses, n, _ in rows}
        self.members = {guesses: members for guesses, _, members in rows}

    @property
    def finished(self) -> int:
        """How many there are of the day."""
        return sum(self.all.values())


class Standing(Struct, frozen=True, kw_only=True):
    """How many are better than a score, how many of these are on the leaderboard, and how many have the same score."""

    better: int
    better_members: int
    equal: int

    @property
    def place(self) -> int:
        """The place on the leaderboard; equals share it."""
        return self.better_members + 1


class Entry(Struct, frozen=True):
    """A result on the leaderboard."""

    owner: PlayerId
    guesses: int
    elapsed_ms: int
    finished_at: datetime
    game: str

    @property
    def score(self) -> tuple[int, int]:
        """What decides about the place."""
        return self.guesses, self.elapsed_ms

    @property
    def order(self) -> tuple[int, int, datetime, str]:
        """What decides about the order, among equals too."""
        return (*self.score, self.finished_at, self.game)


class Placed(Struct, frozen=True):
    """A result and its place; equals share it."""

    place: int
    entry: Entry


async def snapshot(connection: Connection) -> None:
    """Let the transaction that has just begun see the tables as they are now."""
    await connection.execute(SNAPSHOT)


async def totals(connection: Connection, day: date) -> Totals:
    """How many have finished the day, and how."""
    asked = {"day": day, "all": ALL, "most": FAILED}
    return Totals(day, await (await connection.execute(TOTALS, asked)).fetchall())


async def standing(connection: Connection, totals: Totals, guesses: int, elapsed_ms: int | None) -> Standing:
    """How a score stands, be it one of those that are counted or not."""
    better = sum(n for number, n in totals.all.items() if number < guesses)
    members = sum(n for number, n in totals.members.items() if number < guesses)
    if guesses in (1, FAILED) or elapsed_ms is None:  # all of these are equal
        return Standing(better=better, better_members=members, equal=totals.all.get(guesses, 0))
    asked: dict[str, Any] = {
        "day": totals.day,
        "guesses": guesses,
        "ms": elapsed_ms,
        "minute": MINUTE,
        "second": SECOND,
        "minutes": elapsed_ms // MINUTE,
        "seconds": elapsed_ms // SECOND,
    }
    [(more, more_members, equal)] = await (await connection.execute(BETTER, asked)).fetchall()
    return Standing(better=better + more, better_members=members + more_members, equal=equal)


async def board(connection: Connection, day: date, after: Entry, limit: int) -> list[Entry]:
    """The leaderboard after an entry: the best first, and of equals who finished first."""
    asked = {
        "day": day,
        "guesses": after.guesses,
        "ms": after.elapsed_ms,
        "finished_at": after.finished_at,
        "game": after.game,
        "limit": limit,
    }
    return [Entry(*row) for row in await (await connection.execute(BOARD, asked)).fetchall()]


async def placed(connection: Connection, totals: Totals, entries: Sequence[Entry]) -> list[Placed]:
    """Entries that follow each other on the leaderboard, with their places."""
    found: list[int] = []
    looked_up = 0
    for number, entry in enumerate(entries):
        if number and entry.score == entries[number - 1].score:
            found.append(found[-1])
        elif looked_up < 2:  # how many share the first one's place is not seen from here
            found.append((await standing(connection, totals, *entry.score)).place)
            first_of_rest, looked_up = number, looked_up + 1
        else:
            found.append(found[first_of_rest] + number - first_of_rest)
    return [Placed(place, entry) for place, entry in zip(found, entries, strict=True)]


def joined(board: Sequence[Placed], own: Placed, after: Entry, *, goes_on: bool) -> list[Placed]:
    """The leaderboard after an entry with a result that it lacks: whoever is worse stands a place lower.

    If the board `goes_on` behind its last entry, a result that comes after that is not on this part of it.
    """
    lower = [Placed(one.place + (one.entry.score > own.entry.score), one.entry) for one in board]
    begins = after.order < own.entry.order
    ends = not goes_on or own.entry.order < board[-1].entry.order
    return sorted([*lower, own], key=lambda one: one.entry.order) if begins and ends else lower
