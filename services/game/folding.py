"""One batch of records into the rows of one projection: all or nothing, and never twice.

The position is kept with the rows and moves in the same transaction, from the value that this fold began with. Whoever
comes second, another copy or a repetition, finds that it has moved and changes nothing.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg
import structlog
from psycopg import AsyncConnection, AsyncCursor

from libs.core import subjects
from libs.core.history import Newer
from libs.runtime.log import Record
from services.game.projections.shape import Projection, Told, Unfoldable, tell

log = structlog.get_logger()

CHUNK = 32  # records after which somebody else has a turn: those who fold answer players, too

# The end of a fold does not wait for the disk: what a crash of the database takes back is folded again, since the
# position goes back with it. For this transaction alone, since a pooler may hand the session on.
_BEGIN = "select seq, set_config('synchronous_commit', 'off', true) from positions where name = %s for update"
_MOVE = (
    "update positions set seq = %s where name = %s and seq = %s returning set_config('synchronous_commit', 'off', true)"
)


class Overtaken(Exception):
    """The position is not where this fold would begin: somebody else has folded these records."""


async def position_of(connection: AsyncConnection[Any], name: str) -> int:
    """The sequence of the newest record that is folded; 0 before the first."""
    cursor = await connection.execute("select seq from positions where name = %s", (name,))
    row = await cursor.fetchone()
    return int(row[0]) if row else 0


async def fold(
    connection: AsyncConnection[Any],
    projection: type[Projection],
    records: Sequence[Record],
    after: int,
    suffix: str = "",
) -> int:
    """Fold these records, which follow the position `after`; answers with how many of them had to be set aside.

    `suffix` names a shadow: another schema with another position. Raises `Overtaken`, or `psycopg.Error` if PostgreSQL
    is not in order; then nothing has changed and the same fold may be tried again. Raises `Newer` for what a newer
    release must fold.
    """
    try:
        return await _fold(connection, projection, records, after, suffix, {})
    except (psycopg.DataError, psycopg.IntegrityError) as error:  # a row that the tables do not take: which record's?
        if len(records) == 1:
            reason = f"not storable: {type(error).__name__} {error.sqlstate}"
            return await _fold(connection, projection, records, after, suffix, {records[0].sequence: reason})
    middle = len(records) // 2
    parked = await fold(connection, projection, records[:middle], after, suffix)
    return parked + await fold(connection, projection, records[middle:], records[middle - 1].sequence, suffix)


def readable(records: Sequence[Record]) -> Sequence[Record]:
    """Those before the first that a newer release must fold."""
    for place, record in enumerate(records):
        try:
            _told(record, {})
        except Newer:
            return records[:place]
    return records


async def _fold(
    connection: AsyncConnection[Any],
    projection: type[Projection],
    records: Sequence[Record],
    after: int,
    suffix: str,
    parked: Mapping[int, str],
) -> int:
    name, last, parked = projection.name + suffix, records[-1].sequence, dict(parked)
    batch = [told for told in await _tell(records, parked) if projection.concerns(told)]
    if not batch and not parked:
        await _move(connection, name, after, last)
        return 0
    async with connection.transaction(), connection.cursor() as cursor:
        await cursor.execute(_BEGIN, (name,))
        begin = await cursor.fetchone()
        if begin is None or begin[0] != after:
            raise Overtaken(name)
        rows = await _take(cursor, projection, name, batch, parked)
        await rows.save(cursor, name)
        await _park(cursor, name, records, parked)
        await _move(connection, name, after, last)
    return len(parked)


async def _move(connection: AsyncConnection[Any], name: str, after: int, last: int) -> None:
    if (await connection.execute(_MOVE, (last, name, after))).rowcount != 1:
        raise Overtaken(name)


async def _tell(records: Sequence[Record], parked: dict[int, str]) -> list[Told]:
    batch = []
    for number, record in enumerate(records):
        await _breathe(number)
        if (told := _told(record, parked)) is not None:
            batch.append(told)
    return batch


async def _breathe(number: int) -> None:
    if number % CHUNK == 0:
        await asyncio.sleep(0)


def _told(record: Record, parked: dict[int, str]) -> Told | None:
    if record.kind == subjects.CLAIM or record.sequence in parked:
        return None
    try:
        return tell(record)
    except Unfoldable as error:
        parked[record.sequence] = str(error)
        return None


async def _take(
    cursor: AsyncCursor[Any], projection: type[Projection], schema: str, batch: Sequence[Told], parked: dict[int, str]
) -> Projection:
    """The rows after this batch. What makes no sense is parked, and the rest begins anew without it."""
    while True:
        rows = projection()
        batch = [told for told in batch if told.sequence not in parked]
        await rows.load(cursor, schema, batch)
        for number, told in enumerate(batch):
            await _breathe(number)
            try:
                rows.take(told)
            except Unfoldable as error:
                parked[told.sequence] = str(error)
                break
        else:
            return rows


async def _park(cursor: AsyncCursor[Any], name: str, records: Sequence[Record], parked: Mapping[int, str]) -> None:
    for record in records:
        if record.sequence in parked:
            reason = parked[record.sequence]
            log.error("parked", projection=name, sequence=record.sequence, subject=record.subject, reason=reason)
            await cursor.execute(
                "insert into parked (projection, seq, subject, reason) values (%s, %s, %s, %s) on conflict do nothing",
                (name, record.sequence, record.subject, reason),
            )
