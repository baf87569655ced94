"""All records of the log in their order, wherever they are: in the stream, in the archive, or for a while in both."""

import heapq
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any

from psycopg import AsyncConnection, AsyncServerCursor
from psycopg.rows import class_row
from psycopg.sql import SQL

from libs.runtime.archive import COLUMNS, Archive
from libs.runtime.archive_row import Damaged, OnDamage, Row, unpack
from libs.runtime.direct import Record

PAGE = 200  # rows of the archive that are read at a time

_ROWS = SQL("select {} from archive.games where last_seq > %s order by first_seq").format(COLUMNS)


async def whole(
    archive: Archive, stream: AsyncGenerator[list[Record], None], start: int, end: int, batch: int, damaged: OnDamage
) -> AsyncGenerator[list[Record], None]:
    """The records from `start` to `end`, each once and in order, as lists of 1 to `batch`.

    `stream` gives what the stream has from `start` on, and has a record at or after `end`. Meanwhile nothing leaves
    it for the archive. Raises `Unread`, and what following the stream raises.
    """
    async with archive.kept() as connection, aclosing(stream):
        moved = _Moved(connection, start - 1, damaged)
        await moved.open()
        async for records in stream:
            upto = min(records[-1].sequence, end)
            waiting = deque(record for record in records if record.sequence <= upto)
            # the archive is asked after the stream: what the stream has lost by now is there
            async for some, bound in moved.until(upto, batch):
                here = _take(waiting, bound)
                for piece in _pieces(some, here, batch):
                    yield piece
            if records[-1].sequence >= end:
                return


def _take(waiting: deque[Record], bound: int) -> list[Record]:
    taken = []
    while waiting and waiting[0].sequence <= bound:
        taken.append(waiting.popleft())
    return taken


def _pieces(moved: Iterable[Record], here: Iterable[Record], batch: int) -> Iterable[list[Record]]:
    """Both in order, without what is there twice."""
    each = {record.sequence: record for record in (*moved, *here)}
    order = sorted(each)
    for begin in range(0, len(order), batch):
        yield [each[sequence] for sequence in order[begin : begin + batch]]


class _Moved:
    """The archived records in the order of the log. Rows are read by their first sequence and held until it is past."""

    def __init__(self, connection: AsyncConnection, after: int, damaged: OnDamage) -> None:
        self._connection = connection
        self._after = after
        self._damaged = damaged
        self._cursor: AsyncServerCursor[Any] = AsyncServerCursor(
            connection, "archive_history", row_factory=class_row(Row)
        )
        self._held: dict[int, Record] = {}
        self._order: list[int] = []  # a heap of their sequences
        self._known = after  # all records up to this sequence are held or given
        self._more = True

    async def open(self) -> None:
        """Begin; what is archived from now on is still in the stream."""
        await self._cursor.execute(_ROWS, (self._after,))

    async def until(self, sequence: int, batch: int) -> AsyncIterator[tuple[list[Record], int]]:
        """The records up to this one as lists, each with the sequence up to which it is complete."""
        if not self._more:  # nothing to fetch: but a connection that is lost does not keep the stream as it is
            await self._connection.execute("select 1")
        while True:
            bound = min(sequence, self._known) if self._more else sequence
            while some := self._pop(bound, batch):
                yield some, some[-1].sequence
            if not self._more or self._known >= sequence:
                yield [], sequence
                return
            await self._fetch()

    def _pop(self, bound: int, most: int) -> list[Record]:
        some: list[Record] = []
        while len(some) < most and self._order and self._order[0] <= bound:
            some.append(self._held.pop(heapq.heappop(self._order)))
        return some

    async def _fetch(self) -> None:
        rows = await self._cursor.fetchmany(PAGE)
        self._more = len(rows) == PAGE
        for row in rows:
            self._known = max(self._known, row.first_seq)
            try:
                records = unpack(row)
            except Damaged as error:
                self._damaged(error)
                continue
            for record in records:
                if record.sequence > self._after and record.sequence not in self._held:
                    self._held[record.sequence] = record
                    heapq.heappush(self._order, record.sequence)
