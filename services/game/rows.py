"""Rows of a table as structs: read and written many at once, each side in one statement."""

from collections.abc import Iterable, Mapping, Sequence
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
        self, name: str, row: type[Row], key: Sequence[str], changes: Mapping[str, LiteralString] | None = None
    ) -> None:
        """`changes` says how an `old` column and the one that was `excluded` go together; else the new one stands."""
        self.name = name
        self.key = tuple(key)
        self._changes = changes or {}
        self.columns = tuple(row.__struct_fields__)
        self._decode = msgspec.json.Decoder(list[row]).decode  # type: ignore[valid-type]

    def of(self, row: Row) -> tuple[Any, ...]:
        """The key of a row."""
        return tuple(getattr(row, column) for column in self.key)

    async def read(self, cursor: AsyncCursor[Any], schema: str, column: str, values: Iterable[Any]) -> list[Row]:
        """All rows that have one of these values in a column."""
        query = SQL("select coalesce(json_agg(t), '[]')::text from {}.{} t where {} = any(%s)").format(
            Identifier(schema), Identifier(self.name), Identifier(column)
        )
        await cursor.execute(query, (list(values),))
        found = await cursor.fetchone()
        return self._decode(found[0]) if found else []

    async def write(self, cursor: AsyncCursor[Any], schema: str, rows: Iterable[Row]) -> None:
        """Insert these rows, or change those that are there already."""
        data = _encoder.encode(list(rows))
        if data != b"[]":
            await cursor.execute(self._upsert(schema), (data.decode(),))

    async def remove(self, cursor: AsyncCursor[Any], schema: str, column: str, values: Iterable[Any]) -> None:
        """Delete all rows that have one of these values in a column."""
        if gone := list(values):
            query = SQL("delete from {}.{} where {} = any(%s)").format(
                Identifier(schema), Identifier(self.name), Identifier(column)
            )
            await cursor.execute(query, (gone,))

    def _upsert(self, schema: str) -> Composed:
        rest = [column for column in self.columns if column not in self.key]
        columns = SQL(", ").join(map(Identifier, self.columns))
        return SQL(
            "insert into {table} as old ({columns}) "
            "select {columns} from json_populate_recordset(null::{table}, %s::json) "
            "on conflict ({key}) do update set {changes}"
        ).format(
            table=SQL("{}.{}").format(Identifier(schema), Identifier(self.name)),
            columns=columns,
            key=SQL(", ").join(map(Identifier, self.key)),
            changes=SQL(", ").join(
                SQL("{} = {}").format(Identifier(column), SQL(self._changes[column]))
                if column in self._changes
                else SQL("{0} = excluded.{0}").format(Identifier(column))
                for column in rest
            ),
        )
