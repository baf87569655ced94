"""Rows of a table as structs: read and written many at once, each side in one statement."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Generic, LiteralString, TypeVar

import msgspec
from msgspec import Struct
from psycopg import AsyncCursor
from psycopg.sql import SQL, Composed, Identifier

Row = TypeVar("Row", bound=Struct)

_encoder = msgspec.json.Encoder()


class Table(Generic[Row]):
    """A table whose columns are the fields of a struct. The schema is given with each use: it may be a shadow."""

    def __init__(
        self, name: str, row: type[Row], key: Sequence[str], game: str | None, shared: Collection[str] = ()
    ) -> None:
        """`game` is the column that says of which game a row is; none: no row is of one game alone.

        `shared` are columns whose values hang on other games too.
        """
        self.name = name
        self.key = tuple(key)
        self.game = game
        self.columns = tuple(row.__struct_fields__)
        self.own = tuple(column for column in self.columns if column not in shared)
        self._decode = msgspec.json.Decoder(list[row]).decode  # type: ignore[valid-type]

    def of(self, row: Row) -> tuple[Any, ...]:
        """The key of a row."""
        return tuple(getattr(row, column) for column in self.key)

    def at(self, schema: str) -> Composed:
        """The name of the table in this schema."""
        return SQL("{}.{}").format(Identifier(schema), Identifier(self.name))

    async def read(
        self, cursor: AsyncCursor[Any], schema: str, values: Iterable[Any] | None = None, by: str | None = None
    ) -> list[Row]:
        """All rows of these games, or with these values in the column `by`; or simply all."""
        query = SQL("select * from {}").format(self.at(schema))
        if values is None:
            return await self.found(cursor, query)
        return await self.found(cursor, query + self._among(by), (list(values),))

    async def found(self, cursor: AsyncCursor[Any], query: Composed, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of this table that a query selects."""
        await cursor.execute(SQL("select coalesce(json_agg(t), '[]')::text from ({}) t").format(query), values)
        found = await cursor.fetchone()
        return self._decode(found[0]) if found else []

    async def write(self, cursor: AsyncCursor[Any], schema: str, rows: Iterable[Row]) -> None:
        """Insert these rows, or change those that are there already."""
        data = _encoder.encode(list(rows))
        if data != b"[]":
            await cursor.execute(self._upsert(schema), (data.decode(),))

    async def remove(self, cursor: AsyncCursor[Any], schema: str, values: Iterable[Any], by: str | None = None) -> None:
        """Delete all rows of these games, or with these values in the column `by`."""
        if gone := list(values):
            await cursor.execute(SQL("delete from {}").format(self.at(schema)) + self._among(by), (gone,))

    def _among(self, by: str | None) -> Composed:
        return SQL(" where {} = any(%s)").format(Identifier(by or self.game or ""))

    def _change(self, column: str) -> Composed:
        """What a column becomes when a row that is there already is written again."""
        return SQL("excluded.{}").format(Identifier(column))

    def _upsert(self, schema: str) -> Composed:
        columns = SQL(", ").join(map(Identifier, self.columns))
        return SQL(
            "insert into {table} as old ({columns}) "
            "select {columns} from json_populate_recordset(null::{table}, %s::json) "
            "on conflict ({key}) do update set {changes}"
        ).format(
            table=self.at(schema),
            columns=columns,
            key=SQL(", ").join(map(Identifier, self.key)),
            changes=SQL(", ").join(
                SQL("{} = {}").format(Identifier(column), self._change(column))
                for column in self.columns
                if column not in self.key
            ),
        )


class Sums(Table[Row]):
    """A table whose rows add up over games: what is written is added to what is there."""

    def __init__(
        self,
        name: str,
        row: type[Row],
        key: Sequence[str],
        plus: Callable[[Row, Row], Row],
        changes: Mapping[str, LiteralString],
    ) -> None:
        """`plus` adds two rows, and `changes` says the same in SQL, of an `old` row and the `excluded` one."""
        super().__init__(name, row, key, game=None)
        self.plus = plus
        self._changes = changes

    def add(self, sums: dict[tuple[Any, ...], Row], row: Row) -> None:
        """Add a row to those that are known by their keys."""
        key = self.of(row)
        sums[key] = self.plus(sums[key], row) if key in sums else row

    def _change(self, column: str) -> Composed:
        return Composed([SQL(self._changes[column])])
