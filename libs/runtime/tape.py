"""The newest records of a stream, received once for all in this process who follow it."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from itertools import takewhile

import nats.errors
import structlog

from libs.runtime import following
from libs.runtime.connection import Connection
from libs.runtime.direct import Record
from libs.runtime.ending import end

log = structlog.get_logger()

BATCH = 500
PACE = 0.1  # seconds; who follows together folds into tables, which take a few large batches better than many small
MOST = 4096  # records; who is further behind reads on its own until it has caught up
PATIENCE = 45.0  # seconds that the tape waits for who is about to fall behind: reading together costs less


class Tape:
    """Runs while somebody follows. A follower who is where it runs costs the server and this process nothing more."""

    def __init__(self, connection: Connection, stream: str, most: int = MOST) -> None:
        self._connection = connection
        self._stream = stream
        self._most = most
        self._records: deque[Record] = deque(maxlen=most)
        self._before = 0  # the newest sequence that is not on the tape any more
        self._newest: int | None = None  # none while the tape does not run
        self._more = asyncio.Event()
        self._followers = 0
        self._at: dict[object, int] = {}  # who reads from the tape, and up to where
        self._read = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def follow(self, start: int, batch: int) -> AsyncGenerator[list[Record], None]:
        """All records from the sequence `start` on, as `following.follow` gives them. Raises what that raises."""
        position, me = start - 1, object()
        self._followers += 1
        try:
            while True:
                self._run()
                if not self._holds(position):
                    self._at.pop(me, None)
                    async with aclosing(self._catch_up(position, batch)) as own:
                        async for records in own:
                            yield records
                            position = records[-1].sequence
                    continue
                self._at[me] = position
                self._read.set()
                if records := self._after(position)[:batch]:
                    yield records
                    position = records[-1].sequence
                else:
                    await self._more.wait()
        finally:
            self._at.pop(me, None)
            self._followers -= 1
            if not self._followers and self._running is not None:
                await end(self._running)

    async def _catch_up(self, position: int, batch: int) -> AsyncGenerator[list[Record], None]:
        """What a follower reads on its own, until the tape holds what comes next."""
        async with aclosing(following.follow(self._connection, self._stream, position + 1, batch)) as own:
            async for records in own:
                yield records
                self._run()
                if self._holds(records[-1].sequence):
                    return

    def _holds(self, position: int) -> bool:
        """Is whatever follows this position on the tape, or will be?"""
        return self._newest is not None and self._before <= position <= self._newest

    def _after(self, position: int) -> list[Record]:
        newer = list(takewhile(lambda record: record.sequence > position, reversed(self._records)))
        newer.reverse()
        return newer

    def _run(self) -> None:
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._receive())

    async def _receive(self) -> None:
        try:
            newest = await following.last_sequence(self._connection, self._stream)
            self._records.clear()
            self._before = self._newest = newest
            newer = following.follow(self._connection, self._stream, newest + 1, BATCH, PACE)
            async with aclosing(newer) as arriving:
                async for records in arriving:
                    await self._wait_for_followers(len(records))
                    self._put(records)
        except (following.Rewound, nats.errors.Error) as error:  # followers read on their own, and meet it themselves
            log.info("tape.ended", stream=self._stream, error=type(error).__name__)
        finally:
            self._newest = None
            self._ring()

    async def _wait_for_followers(self, coming: int) -> None:
        """Until nobody falls off the tape by so many more records, or has not read for too long."""
        gone = len(self._records) + coming - self._most
        if gone <= 0:
            return
        last = self._records[min(gone, len(self._records)) - 1].sequence
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while min(self._at.values(), default=last) < last:
                    self._read.clear()
                    await self._read.wait()
        self._at = {who: at for who, at in self._at.items() if at >= last}

    def _put(self, records: list[Record]) -> None:
        for record in records:
            if len(self._records) == self._records.maxlen:
                self._before = self._records[0].sequence
            self._records.append(record)
        self._newest = records[-1].sequence
        self._ring()

    def _ring(self) -> None:
        self._more.set()
        self._more = asyncio.Event()
