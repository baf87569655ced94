"""Moving games from the stream to the archive, in two steps that can each be cut short and begun again.

`keep` writes the row of a game and reads it back; the stream still has the game. `forget` takes out of the stream what
the row has, and notes that. Between the two, and whatever is killed when, the game is in one of them or in both.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, LiteralString, TypeVar
from uuid import UUID

from msgspec import Struct, structs
from psycopg import AsyncConnection
from psycopg.rows import class_row
from psycopg.sql import SQL, Composed

from libs.core import subjects
from libs.core.facts import Made
from libs.core.games import GAMES
from libs.core.messages import GameId
from libs.runtime.archive import COLUMNS, LOCK, digest_of
from libs.runtime.archive_row import Damaged, Row, is_claim, pack, unpack
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.log import Record
from services.game import claims
from services.game.examine import Read, read
from services.game.projections import PROJECTIONS
from services.game.projections.shape import Unfoldable

STAYING = ("day", "person")
"""Kinds that never leave the stream: what was promised for a day, and who somebody is."""

TOO_NEW = "it is too new"
"""Why a game stays for now that has the stream's newest record, or one that is not folded everywhere."""

LATE = "it has not been over for long enough"
"""Why a game stays for now whose end was written later than it came, as when nobody was there at its midnight."""

CHANGED = "the stream has something that the archive has not"
"""Why a game stays that is to be kept once more."""

AT_ONCE = 8  # games that are read, or taken out, at a time


Item = TypeVar("Item")
Found = TypeVar("Found")


class NotMoved(Exception):
    """This game stays where it is; says why."""


class Busy(Exception):
    """Somebody reads the whole log: nothing may leave the stream meanwhile."""


class Closed(Struct, frozen=True):
    """A game that the tables call closed."""

    ended_at: datetime
    game: UUID


class Moved(Struct, frozen=True, kw_only=True):
    """Which games have come a step further, and why others have not."""

    games: Sequence[GameId]
    stay: Mapping[GameId, str]


_CLOSED: LiteralString = """
select ended_at, id as game from games.games g
where ended_at < %(before)s and (ended_at, id) > (%(since)s, %(game)s) and kind <> all(%(staying)s)
and seq <= %(folded)s and not exists (select from archive.games a where a.game = g.id)
order by ended_at, id limit %(most)s
"""
_FIND = SQL("select {} from archive.games where game = any(%s) and removed_at is null").format(COLUMNS)
_WRITE: LiteralString = """
insert into archive.games as old (game, kind, first_seq, last_seq, records, data, checksum)
values (%(game)s, %(kind)s, %(first_seq)s, %(last_seq)s, %(records)s, %(data)s, %(checksum)s)
on conflict (game) do update set first_seq = excluded.first_seq, last_seq = excluded.last_seq,
records = excluded.records, data = excluded.data, checksum = excluded.checksum, archived_at = now()
where old.removed_at is null and old.checksum = %(known)s
"""
_CLAIM: LiteralString = "insert into archive.claims (digest, game) values (%s, %s) on conflict do nothing"
_WAITING = SQL(
    "select {} from archive.games where removed_at is null and archived_at <= now() - %s and not game = any(%s) "
    "order by archived_at, game limit %s"
).format(COLUMNS)
_REMOVED: LiteralString = "update archive.games set removed_at = now() where game = any(%s) and removed_at is null"


async def folded(connection: AsyncConnection[Any]) -> int:
    """The sequence up to which every projection has folded the log: a follower never misses what is before it."""
    cursor = await connection.execute("select name, seq from positions")
    positions: dict[str, int] = dict(await cursor.fetchall())
    return min(positions.get(name, 0) for name in PROJECTIONS)


async def closed(
    connection: AsyncConnection[Any], before: datetime, since: Closed, most: int, up_to: int
) -> Sequence[Closed]:
    """The games that closed before this instant and are not archived, in the order of their ends, after `since`."""
    async with connection.cursor(row_factory=class_row(Closed)) as cursor:
        await cursor.execute(
            _CLOSED,
            {
                "before": before,
                "since": since.ended_at,
                "game": since.game,
                "staying": list(STAYING),
                "folded": up_to,
                "most": most,
            },
        )
        return await cursor.fetchall()


async def keep(log: ArchivedLog, connection: AsyncConnection[Any], games: Sequence[GameId], before: datetime) -> Moved:
    """Write these games into the archive and read them back; they stay in the stream. Doing it again does no harm.

    Raises `Unread` or `psycopg.Error`.
    """
    stay: dict[GameId, str] = {}
    there = {row.game: row for row in await _rows(connection, _FIND, _uuids(games))}
    made: dict[GameId, Sequence[Record]] = {}
    for game, found in zip(games, await _each(lambda game: _gather(log, game, before), games), strict=True):
        try:
            if isinstance(found, NotMoved):
                raise found
            made[game] = _union(unpack(there[game]), found) if game in there else found
        except NotMoved as why:
            stay[game] = str(why)
        except Damaged as error:
            stay[game] = error.how
    await _write(connection, made, there)
    return await _read_back(connection, made, stay)


async def _write(
    connection: AsyncConnection[Any], made: Mapping[GameId, Sequence[Record]], there: Mapping[GameId, Row]
) -> None:
    rows = [pack(game, _kind(records), records) for game, records in made.items()]
    new = [row for row in rows if row.game not in there or there[row.game].checksum != row.checksum]
    values = [
        {**structs.asdict(row), "known": there[row.game].checksum if row.game in there else row.checksum} for row in new
    ]
    held = [(digest_of(record.subject), row.game) for row in new for record in made[row.game] if is_claim(record)]
    async with connection.transaction(), connection.cursor() as cursor:
        await cursor.executemany(_WRITE, values)
        await cursor.executemany(_CLAIM, held)


async def _read_back(
    connection: AsyncConnection[Any], made: Mapping[GameId, Sequence[Record]], stay: dict[GameId, str]
) -> Moved:
    """Whether the rows say what was written."""
    rows = {row.game: row for row in await _rows(connection, _FIND, _uuids(made))}
    for game, records in made.items():
        try:
            if game not in rows:
                stay[game] = "another copy has moved it"
            elif not _same(unpack(rows[game]), records):
                stay[game] = "the archive has something else"
        except Damaged as error:
            stay[game] = error.how
    return Moved(games=[game for game in made if game not in stay], stay=stay)


async def forget(
    log: ArchivedLog, connection: AsyncConnection[Any], settled: timedelta, most: int, leave: Iterable[GameId] = ()
) -> Moved:
    """Take games out of the stream that have been in the archive for `settled`; `leave` names some that stay.

    Doing it again does no harm. Raises `Busy`, `Unread`, `Unknown`, `Down` or `psycopg.Error`.
    """
    async with connection.transaction():
        cursor = await connection.execute("select pg_try_advisory_xact_lock(%s)", (LOCK,))
        if await cursor.fetchone() != (True,):
            raise Busy
        # the newest record of the stream stays, whosever it is: followers know the end by it
        end = min(await folded(connection), await log.last_sequence() - 1)
        rows = await _rows(connection, _WAITING, settled, _uuids(leave), most)
        found = await _each(lambda row: _forget(log, row, end), rows)
        stay = {row.game: str(why) for row, why in zip(rows, found, strict=True) if why is not None}
        gone = [row.game for row in rows if row.game not in stay]
        await connection.execute(_REMOVED, (_uuids(gone),))
    return Moved(games=gone, stay=stay)


async def _forget(log: ArchivedLog, row: Row, end: int) -> None:
    try:
        records = unpack(row)
    except Damaged as error:
        raise NotMoved(error.how) from None
    if row.last_seq > end:
        raise NotMoved(TOO_NEW)
    own: dict[str, int] = {record.subject: record.sequence for record in records}
    newest = await log.newest_in_stream(subjects.game(row.kind, row.game))
    if newest is not None and not _same([newest], [next(one for one in reversed(records) if not is_claim(one))]):
        raise NotMoved(CHANGED)
    for subject, last in sorted(own.items(), key=lambda each: -each[1]):  # the game before its claims
        await log.forget(subject, last)


async def _gather(log: ArchivedLog, game: GameId, before: datetime) -> list[Record]:
    """All that the stream has of a closed game, and its claims, in order. Raises `NotMoved` or `Unread`."""
    records = await log.in_stream(game)
    if not records:
        raise NotMoved("it is not in the stream")
    try:
        history = [read(record) for record in records]
    except Unfoldable as error:
        raise NotMoved(str(error)) from None
    kind, decider = records[0].kind, GAMES[records[0].kind]
    if records[0].after not in (None, 0):
        raise NotMoved("its beginning is not in the stream")
    if kind in STAYING or not decider.standing(decider.fold(one.commit for one in history)).ended:
        raise NotMoved("it is not over")
    if max(one.commit.at for one in history) >= before:
        raise NotMoved(LATE)
    held = [await log.newest_in_stream(subject) for subject in _claims(history)]
    own = [record for record in held if record is not None and claims.read(record.data).game == game]
    return sorted([*records, *own], key=lambda record: record.sequence)


def _claims(history: Iterable[Read]) -> Iterable[str]:
    for one in history:
        yield from claims.subjects_of(GAMES[one.record.kind], one.commit.events)
        if any(isinstance(fact, Made) and fact.keyed for _, fact in one.told.facts):
            yield claims.subject_of_key(one.commit.id)


async def _each(act: Callable[[Item], Awaitable[Found]], items: Sequence[Item]) -> list[Found | NotMoved]:
    """What comes of each, several at a time, in their order; a failure is raised when all have ended."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(item: Item) -> Found:
        async with room:
            return await act(item)

    done: list[Found | NotMoved] = []
    for found in await asyncio.gather(*map(one, items), return_exceptions=True):
        if isinstance(found, BaseException) and not isinstance(found, NotMoved):
            raise found
        done.append(found)
    return done


async def _rows(connection: AsyncConnection[Any], query: Composed, *values: Any) -> list[Row]:
    async with connection.cursor(row_factory=class_row(Row)) as cursor:
        await cursor.execute(query, values)
        return await cursor.fetchall()


def _uuids(games: Iterable[GameId]) -> list[UUID]:
    return [UUID(game) for game in games]


def _kind(records: Iterable[Record]) -> str:
    return next(record.kind for record in records if not is_claim(record))


def _union(archived: Iterable[Record], stream: Iterable[Record]) -> list[Record]:
    """Both in order: what is archived is never given up, for the stream may have lost it already."""
    return sorted({record.sequence: record for record in (*stream, *archived)}.values(), key=lambda one: one.sequence)


def _same(some: Sequence[Record], others: Sequence[Record]) -> bool:
    return [(one.sequence, one.subject, one.data) for one in some] == [
        (one.sequence, one.subject, one.data) for one in others
    ]
