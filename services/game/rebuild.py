"""A projection anew from the first record: into a shadow schema, while the service runs.

`rebuild` puts the shadow in the place of the live tables, `check` compares the two and drops it.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from msgspec import Struct
from psycopg import AsyncConnection
from psycopg.sql import SQL, Composed, Identifier

from libs.runtime.log import Log, Rewound
from services.game.folding import fold, position_of
from services.game.projections.shape import Projection
from services.game.rows import Table

NEXT, CHECK, OLD = "_next", "_check", "_old"
BATCH = 1000
SHOWN = 100
"""Differences that are named for each table; more would not be read."""

Progress: TypeAlias = Callable[[int, int], None]
"""Told how far a fold has come, and where it ends: two sequences of the log."""


class Busy(RuntimeError):
    """Somebody else rebuilds or checks this projection."""


class Difference(Struct, frozen=True):
    """A row that is not what a fresh fold makes of the log; none: there is no such row."""

    table: str
    live: dict[str, Any] | None
    fresh: dict[str, Any] | None


async def rebuild(url: str, games: Log, projection: type[Projection], progress: Progress) -> int:
    """Fold all records anew and swap the result in; answers with how many there were.

    The old tables stay in `<name>_old` until the next rebuild. Raises `Busy`, `Unread` or `psycopg.Error`; then the
    live tables are as they were.
    """
    name = projection.name
    async with _shadow(url, projection, NEXT) as connection:
        await connection.execute(SQL("drop schema if exists {} cascade").format(Identifier(name + OLD)))
        await _catch_up(connection, games, projection, NEXT, await games.last_sequence(), progress)
        async with connection.transaction():
            await _lock(connection, name)  # from here on the live tables stand still
            end = await games.last_sequence()  # before their position if they come from a newer copy of the log
            await _catch_up(connection, games, projection, NEXT, end, progress)
            for old, new in ((name, name + OLD), (name + NEXT, name)):
                await connection.execute(SQL("alter schema {} rename to {}").format(Identifier(old), Identifier(new)))
            await connection.execute("update positions set seq = %s where name = %s", (end, name))
            await connection.execute("delete from parked where projection = %s", (name,))
            await connection.execute("update parked set projection = %s where projection = %s", (name, name + NEXT))
    return end


async def check(url: str, games: Log, projection: type[Projection], progress: Progress) -> list[Difference]:
    """Compare every live row with a fresh fold up to the same record.

    Raises `Busy`, `Unread` or `psycopg.Error`, and `Rewound` if the tables know more than the log.
    """
    name = projection.name
    async with _shadow(url, projection, CHECK) as connection:
        position, end = await position_of(connection, name), await games.last_sequence()
        if end < position:
            raise Rewound(f"the log ends at {end}, and {name} has folded {position}")
        await _catch_up(connection, games, projection, CHECK, position, progress)
        async with connection.transaction():
            await _catch_up(connection, games, projection, CHECK, await _lock(connection, name), progress)
            return [found for table in projection.tables for found in await _compare(connection, name, table)]


@asynccontextmanager
async def _shadow(url: str, projection: type[Projection], suffix: str) -> AsyncIterator[AsyncConnection[Any]]:
    """An empty shadow at position 0, which is gone afterwards unless it has been renamed."""
    name = projection.name + suffix
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=2) as connection:
        cursor = await connection.execute("select pg_try_advisory_lock(hashtextextended(%s, 0))", (f"shadow {name}",))
        if await cursor.fetchone() != (True,):
            raise Busy(projection.name)
        await _drop(connection, name)  # what a rebuild that died has left
        async with connection.transaction():
            await connection.execute(SQL("create schema {}").format(Identifier(name)))
            for table in projection.tables:
                await connection.execute(_like(projection.name, name, table))
            await connection.execute(
                "insert into positions values (%s, 0), (%s, 0) on conflict do nothing", (projection.name, name)
            )
        try:
            yield connection
        finally:
            if not connection.closed:
                await _drop(connection, name)


async def _drop(connection: AsyncConnection[Any], name: str) -> None:
    await connection.execute(SQL("drop schema if exists {} cascade").format(Identifier(name)))
    await connection.execute("delete from positions where name = %s", (name,))
    await connection.execute("delete from parked where projection = %s", (name,))


def _like(live: str, shadow: str, table: Table[Any]) -> Composed:
    return SQL("create table {}.{} (like {}.{} including all)").format(
        Identifier(shadow), Identifier(table.name), Identifier(live), Identifier(table.name)
    )


async def _lock(connection: AsyncConnection[Any], name: str) -> int:
    cursor = await connection.execute("select seq from positions where name = %s for update", (name,))
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def _catch_up(
    connection: AsyncConnection[Any],
    games: Log,
    projection: type[Projection],
    suffix: str,
    end: int,
    progress: Progress,
) -> None:
    """Fold the shadow up to and including the sequence `end`."""
    position = await position_of(connection, projection.name + suffix)
    progress(position, end)
    if position >= end:
        return
    async for records in games.whole(position + 1, end, BATCH):
        await fold(connection, projection, records, position, suffix)
        position = records[-1].sequence
        progress(position, end)


async def _compare(connection: AsyncConnection[Any], name: str, table: Table[Any]) -> Iterable[Difference]:
    key = SQL(", ").join(map(Identifier, table.key))
    query = SQL(
        "select to_jsonb(live), to_jsonb(fresh) from {}.{table} live full join {}.{table} fresh using ({key}) "
        "where to_jsonb(live) is distinct from to_jsonb(fresh) order by {key} limit %s"
    ).format(Identifier(name), Identifier(name + CHECK), table=Identifier(table.name), key=key)
    cursor = await connection.execute(query, (SHOWN,))
    return [Difference(f"{name}.{table.name}", live, fresh) for live, fresh in await cursor.fetchall()]
