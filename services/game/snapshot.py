"""All tables of the projections as they stood at one instant, for an auditor to compare with."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, AsyncCursor
from psycopg.sql import SQL, Identifier

from libs.core.messages import GameId
from services.game.examine import Examined, rows
from services.game.projections import PROJECTIONS
from services.game.projections.shape import Projection
from services.game.rows import Row, Table

SHOWN = 100
"""Differences that are named of what hangs on several games, for each table."""


class Snapshot:
    """One instant of the tables. `positions` says how far each projection had folded the log by then."""

    def __init__(self, cursor: AsyncCursor[Any], positions: Mapping[str, int], parked: Mapping[int, list[str]]) -> None:
        self.positions = positions
        self._cursor = cursor
        self._parked = parked
        self._seen: dict[Table[Any], int] = {}

    async def compare(self, examined: Sequence[Examined]) -> Mapping[GameId, list[str]]:
        """What is wrong with the rows of these games. Give each game once."""
        found: dict[GameId, list[str]] = {one.game: [] for one in examined}
        for projection in PROJECTIONS.values():
            fresh: dict[Table[Any], list[Any]] = {table: [] for table in projection.tables}
            for one in examined:
                for table, made in self._fold(projection, one, found[one.game]).rows().items():
                    fresh[table] += made
            ids = {UUID(one.game) for one in examined if one.history}
            for table, right in fresh.items():
                if table.game is None:
                    continue  # `rest` will look at it
                live = await table.read(self._cursor, projection.name, ids)
                self._seen[table] = self._seen.get(table, 0) + len(live)
                for row, problem in differences(projection.name, table, live, right):
                    found[str(getattr(row, table.game))].append(problem)
        return found

    def _fold(self, projection: type[Projection], one: Examined, problems: list[str]) -> Projection:
        """The rows that the game must have; what the projection had not folded by then counts as little as for it."""
        there = [said for said in one.history if said.record.sequence <= self.positions[projection.name]]
        fresh, wrong = rows(projection, there)
        problems += [f"{projection.name}: record {sequence} of the log: {why}" for sequence, why in wrong.items()]
        for said in there:
            if projection.name in self._parked.get(said.record.sequence, ()):
                problems.append(f"{projection.name}: record {said.record.sequence} of the log is parked")
        return fresh

    async def rest(self) -> list[str]:
        """What is wrong with the tables as a whole, after every game has been compared."""
        problems = []
        for name, projection in PROJECTIONS.items():
            for table in projection.tables:
                problems += [problem async for problem in self._shared(projection, table)]
                if table.game is None:
                    continue
                if extra := await self._count(name, table) - self._seen.get(table, 0):
                    problems.append(f"{name}.{table.name}: {extra} rows of games that are not in the log")
        return problems

    async def _shared(self, projection: type[Projection], table: Table[Any]) -> AsyncIterator[str]:
        """What is wrong with the columns that hang on several games."""
        if table in projection.faults:
            await self._cursor.execute(SQL(projection.faults[table]).format(schema=Identifier(projection.name)))
            for live, right in await self._cursor.fetchmany(SHOWN):
                key = [(live or right)[column] for column in table.key]
                where = _where(projection.name, table, key)
                if live is None or right is None:
                    yield f"{where}: there is no such row" if live is None else f"{where}: a row too many"
                    continue
                for column, true in right.items():
                    if live[column] != true:
                        yield f"{where}: {column} is {_text(live[column])} and must be {_text(true)}"

    async def _count(self, schema: str, table: Table[Any]) -> int:
        await self._cursor.execute(SQL("select count(*) from {}").format(table.at(schema)))
        row = await self._cursor.fetchone()
        return int(row[0]) if row else 0


@asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[Snapshot]:
    """Hold on to one instant of the tables for as long as the block runs. Raises `psycopg.Error`."""
    async with (
        await AsyncConnection.connect(url, connect_timeout=2) as connection,
        connection.transaction(force_rollback=True),
        connection.cursor() as cursor,
    ):
        await cursor.execute("set transaction isolation level repeatable read, read only")
        await cursor.execute("select name, seq from positions")
        positions = dict.fromkeys(PROJECTIONS, 0) | dict(await cursor.fetchall())
        await cursor.execute("select projection, seq from parked")
        parked: dict[int, list[str]] = {}
        for name, sequence in await cursor.fetchall():
            parked.setdefault(sequence, []).append(name)
        yield Snapshot(cursor, positions, parked)


def differences(schema: str, table: Table[Row], live: Iterable[Row], fresh: Iterable[Row]) -> Iterable[tuple[Row, str]]:
    """Where live rows are not what a fresh fold makes, each with the row that is meant."""
    there = {table.of(row): row for row in live}
    for right in fresh:
        key = table.of(right)
        row = there.pop(key, None)
        if row is None:
            yield right, f"{_where(schema, table, key)}: there is no such row"
        elif row != right:
            for column in table.own:
                said, true = getattr(row, column), getattr(right, column)
                if said != true:
                    yield right, f"{_where(schema, table, key)}: {column} is {_text(said)} and must be {_text(true)}"
    for key, row in there.items():
        yield row, f"{_where(schema, table, key)}: a row too many"


def _where(schema: str, table: Table[Any], key: Iterable[Any]) -> str:
    return f"{schema}.{table.name} ({', '.join(map(str, key))})"


def _text(value: object) -> str:
    return "empty" if value is None else str(value)
