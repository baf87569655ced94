"""Following together: every follower gets every record once and in order, and the newest are received once for all."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from libs.core import subjects
from libs.runtime import bus, ids
from libs.runtime import tape as tape_module
from libs.runtime.connection import Connection
from libs.runtime.log import Log, Record, ensure_streams
from libs.runtime.settings import Settings
from libs.runtime.tape import Tape
from tests import servers
from tests.until import until


@pytest.fixture
async def connection() -> AsyncIterator[Connection]:
    """A connection to a server with an empty log."""
    with servers.nats_server() as server:
        connection = await bus.connect(Settings(nats_url=server.url), "test")
        await ensure_streams(connection, 1)
        yield connection
        await connection.close()


@asynccontextmanager
async def followed(tape: Tape, start: int, batch: int = 500) -> AsyncIterator[list[int]]:
    """The sequences that a follower in the background has seen so far."""
    seen: list[int] = []

    async def run() -> None:
        async with aclosing(tape.follow(start, batch)) as arriving:
            async for records in arriving:
                assert 1 <= len(records) <= batch
                seen.extend(record.sequence for record in records)

    task = asyncio.create_task(run())
    yield seen
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def append(log: Log, count: int) -> None:
    """Store this many games of one record."""
    for _ in range(count):
        await log.append(subjects.game("duel", ids.new_id()), b"{}", 0, ids.new_id())


async def consumers(connection: Connection) -> int:
    """How many consumers the log has."""
    return (await connection.jetstream().stream_info(subjects.GAMES)).state.consumer_count


async def test_two_who_follow_from_different_positions_get_every_record_once_and_share_one_consumer(
    connection: Connection,
) -> None:
    log, tape = Log(connection), Tape(connection, subjects.GAMES)
    await append(log, 20)
    async with followed(tape, 1) as first, followed(tape, 11, batch=3) as second:
        await until(lambda: len(first) == 20 and len(second) == 10)
        await append(log, 1)  # who had to catch up comes to the tape with the next record
        await until(lambda: len(first) == 21 and len(second) == 11)
        await append(log, 10)
        await until(lambda: len(first) == 31 and len(second) == 21)
        assert first == list(range(1, 32))
        assert second == list(range(11, 32))
        assert await consumers(connection) == 1


async def test_who_is_too_slow_for_the_tape_still_gets_every_record(connection: Connection) -> None:
    log, tape = Log(connection), Tape(connection, subjects.GAMES, most=4)
    seen: list[Record] = []
    async with followed(tape, 1) as quick, aclosing(tape.follow(1, 2)) as slow:
        await append(log, 1)
        seen += await anext(slow)
        await append(log, 30)
        await until(lambda: len(quick) == 31)
        while len(seen) < 31:
            seen += await anext(slow)
    assert [record.sequence for record in seen] == list(range(1, 32))
    assert quick == list(range(1, 32))


async def test_the_tape_ends_with_its_last_follower_and_begins_again_with_the_next(connection: Connection) -> None:
    log, tape = Log(connection), Tape(connection, subjects.GAMES)
    async with followed(tape, 1) as seen:
        await append(log, 3)
        await until(lambda: len(seen) == 3)

    async def gone() -> bool:
        return bool(await consumers(connection) == 0)

    await until(gone)
    async with followed(tape, 4) as seen:
        await append(log, 3)
        await until(lambda: seen == [4, 5, 6])


class Watched(Tape):
    """A tape that counts how often somebody has to read alone."""

    alone = 0

    def _catch_up(self, position: int, batch: int) -> AsyncGenerator[list[Record], None]:
        self.alone += 1
        return super()._catch_up(position, batch)


async def test_the_tape_waits_for_who_is_about_to_fall_behind(connection: Connection) -> None:
    log, tape = Log(connection), Watched(connection, subjects.GAMES, most=60)
    seen: list[Record] = []
    async with followed(tape, 1) as quick, aclosing(tape.follow(1, 2)) as slow:
        await append(log, 1)
        seen += await anext(slow)
        await append(log, 1)
        seen += await anext(slow)
        before = tape.alone
        await append(log, 50)
        await until(lambda: len(quick) == 52)
        await append(log, 50)
        while len(seen) < 102:
            seen += await anext(slow)
        await until(lambda: len(quick) == 102)
    assert tape.alone == before
    assert [record.sequence for record in seen] == list(range(1, 103))


async def test_the_tape_does_not_wait_for_ever(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape_module, "PATIENCE", 0.1)
    log, tape = Log(connection), Tape(connection, subjects.GAMES, most=4)
    async with followed(tape, 1) as quick, aclosing(tape.follow(1, 2)) as stuck:
        await append(log, 1)
        await anext(stuck)
        await append(log, 60)
        await until(lambda: len(quick) == 61)
