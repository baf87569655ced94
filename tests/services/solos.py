"""Ends of attempts at the Daily, and guests who join, as records of the log that the projection folds."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, LiteralString
from uuid import UUID, uuid5

import msgspec
from psycopg import AsyncConnection
from psycopg.sql import SQL

from libs.core import daily, subjects
from libs.core.calendar import begin_of, close_of
from libs.core.games.daily.events import Ended
from libs.core.games.person.events import GuestJoined
from libs.core.messages import Commit, Event
from libs.runtime.log import Log, Record
from services.game.folding import fold, position_of
from services.game.projections import Daily
from services.game.projections.shape import Projection

DAY = date(2026, 3, 7)
ID = len(str(UUID(int=0)))


def player(name: str) -> str:
    """An id that is always the same for this name; an id is its own."""
    return name if len(name) == ID else str(uuid5(UUID(int=0), name))


def solved(
    who: str, guesses: int = 3, ms: int = 60_000, *, day: date = DAY, at: float = 3600, origin: str | None = None
) -> Record:
    """Somebody, a guest if `origin` is set, has found the word `at` seconds into the day, in so many ms."""
    return _ended(who, day, at, origin, solved=True, guesses=guesses, elapsed_us=ms * 1000)


def failed(who: str, *, day: date = DAY, at: float = 3600, origin: str | None = None) -> Record:
    """Somebody has used all guesses."""
    return _ended(who, day, at, origin, solved=False, guesses=6, elapsed_us=None)


def unfinished(who: str, guesses: int = 2, *, day: date = DAY, origin: str | None = None) -> Record:
    """Midnight came first."""
    at = (close_of(day) - begin_of(day)).total_seconds()
    return _ended(who, day, at, origin, solved=False, guesses=guesses, elapsed_us=None)


def _ended(who: str, day: date, at: float, origin: str | None, **result: Any) -> Record:
    id_ = player(who)
    ended = Ended(
        at=begin_of(day) + timedelta(seconds=at),
        day=day,
        player=id_,
        guest=origin is not None,
        origin=origin or "",
        **result,
    )
    return record("daily", daily.attempt_id(id_, day), ended)


def joined(account: str, guest: str) -> Record:
    """A guest is a part of an account from now on; of the same name: has become it."""
    event = GuestJoined(at=begin_of(DAY), account=player(account), guest=player(guest))
    return record("person", player(account), event)


def record(kind: str, game: str, *events: Event) -> Record:
    """A record of a game, in which these events have happened."""
    commit = Commit(id="", by="", digest="", at=events[0].at, events=events)
    return Record(0, subjects.game(kind, game), msgspec.json.encode(commit), events[0].at)


async def write(log: Log, *records: Record) -> None:
    """Append these records to a log, as what comes first of each attempt."""
    for record in records:
        await log.append(record.subject, record.data, 0, record.game)


async def take(
    connection: AsyncConnection[Any], *batches: Iterable[Record], projection: type[Projection] = Daily
) -> None:
    """Fold these batches, as what comes next in the log; nothing in them may be set aside."""
    name = projection.name
    await connection.execute("insert into positions values (%s, 0) on conflict do nothing", (name,))
    for batch in batches:
        after = await position_of(connection, name)
        records = [msgspec.structs.replace(record, sequence=after + n) for n, record in enumerate(batch, 1)]
        if records:
            assert await fold(connection, projection, records, after) == 0


async def forget(connection: AsyncConnection[Any], projection: type[Projection] = Daily) -> None:
    """Empty all tables of the projection."""
    for table in projection.tables:
        await connection.execute(SQL("truncate {}").format(table.at(projection.name)))


async def found(connection: AsyncConnection[Any], query: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
    """What a query finds."""
    return await (await connection.execute(query, values)).fetchall()


async def faults(connection: AsyncConnection[Any], projection: type[Projection] = Daily) -> Sequence[Any]:
    """Where the tables are not what can be worked out anew from what each game says by itself."""
    schema = SQL(projection.name)
    return [
        row
        for query in projection.faults.values()
        for row in await (await connection.execute(SQL(query).format(schema=schema))).fetchall()
    ]
