"""Following the log: every record once and in order, whatever happens to the broker and to the consumer."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from libs.core import subjects
from libs.runtime import bus, ids
from libs.runtime.connection import Connection
from libs.runtime.embedded import NatsServer
from libs.runtime.log import Conflict, Down, Log, Record, Rewound, Unknown, Unread, ensure_streams
from libs.runtime.settings import Settings
from tests import servers
from tests.until import until


@asynccontextmanager
async def followed(log: Log, start: int, batch: int = 500) -> AsyncIterator[list[Record]]:
    """What a follower in the background has seen so far."""
    seen: list[Record] = []

    async def run() -> None:
        async for records in log.follow(start, batch):
            assert 1 <= len(records) <= batch
            seen.extend(records)

    task = asyncio.create_task(run())
    yield seen
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def append(log: Log, count: int) -> list[int]:
    """Store this many records in a new game, through every outage; answers with their sequences."""
    game = ids.new_id()
    sequences = [0]
    for number in range(count):
        while len(sequences) == number + 1:
            try:
                subject = subjects.game("duel", game)
                sequences.append(await log.append(subject, str(number).encode(), sequences[-1], str(number)))
            except Down:
                await asyncio.sleep(0.02)
            except (Unknown, Conflict):
                sequences = [0, *numbers(await settled(log, game))]
    return sequences[1:]


async def settled(log: Log, game: str) -> list[Record]:
    """What is stored of a game once the log can be read again."""
    while True:
        try:
            return await log.load(game)
        except Unread:
            await asyncio.sleep(0.02)


def numbers(records: list[Record]) -> list[int]:
    return [record.sequence for record in records]


async def consumers(connection: Connection) -> list[str]:
    reply = await connection.request(f"$JS.API.CONSUMER.NAMES.{subjects.GAMES}")
    return json.loads(reply.data)["consumers"] or []


async def test_a_follower_sees_what_was_and_what_comes(log: Log) -> None:
    start = await log.last_sequence() + 1
    expected = await append(log, 30)
    async with followed(log, start, batch=7) as seen:
        await until(lambda: len(seen) >= 30)
        expected += await append(log, 30)
        await until(lambda: len(seen) >= 60)
    assert numbers(seen) == expected


async def test_a_new_record_arrives_within_a_tenth_of_a_second(log: Log) -> None:
    async with followed(log, await log.last_sequence() + 1) as seen:
        for count in range(1, 4):
            await append(log, 1)
            await until(lambda count=count: len(seen) == count, seconds=0.1)


async def test_a_record_that_is_followed_says_what_it_is(log: Log) -> None:
    game = ids.new_id()
    sequence = await log.append(subjects.game("duel", game), b"made", 0, "ann:1")
    async with followed(log, sequence) as seen:
        await until(lambda: seen)
    [loaded] = await log.load(game)
    assert (seen[0].sequence, seen[0].subject, seen[0].data) == (loaded.sequence, loaded.subject, loaded.data)
    assert abs((seen[0].at - loaded.at).total_seconds()) < 0.001


async def test_a_deleted_consumer_is_replaced(log: Log, connection: Connection) -> None:
    async with followed(log, await log.last_sequence() + 1, batch=10) as seen:
        expected = await append(log, 5)
        await until(lambda: len(seen) == 5)
        for _ in range(3):
            for name in await consumers(connection):
                await connection.request(f"$JS.API.CONSUMER.DELETE.{subjects.GAMES}.{name}")
            expected += await append(log, 15)
        await until(lambda: len(seen) >= len(expected))
    assert numbers(seen) == expected


@pytest.mark.parametrize("end", ["stop", "kill"])
async def test_a_restarted_server_is_followed_on(nats_server: NatsServer, log: Log, end: str) -> None:
    async with followed(log, await log.last_sequence() + 1) as seen:
        expected = await append(log, 20)
        await until(lambda: len(seen) == 20)
        writing = asyncio.create_task(append(log, 200))
        await until(lambda: len(seen) > 30)
        await asyncio.to_thread(getattr(nats_server, end))
        await asyncio.to_thread(nats_server.start)
        expected += await writing
        await until(lambda: len(seen) >= len(expected), seconds=5)
    assert numbers(seen) == expected


@pytest.mark.parametrize("more", [0, 10])
async def test_a_record_that_went_astray_is_fetched_again(log: Log, connection: Connection, more: int) -> None:
    async with followed(log, await log.last_sequence() + 1) as seen:
        expected = await append(log, 1)
        await until(lambda: seen)
        astray = await connection.subscribe(connection.new_inbox())
        for name in await consumers(connection):
            pull = f"$JS.API.CONSUMER.MSG.NEXT.{subjects.GAMES}.{name}"
            await connection.publish(pull, b'{"batch": 1}', reply=astray.subject)
        while not astray.pending_msgs:
            expected += await append(log, 1)
            count = len(expected)
            await until(lambda count=count: len(seen) >= count or astray.pending_msgs)
        expected += await append(log, more) if more else []
        await until(lambda: len(seen) >= len(expected))
    assert numbers(seen) == expected


async def test_a_log_that_ends_before_our_position_is_refused(log: Log) -> None:
    end = (await append(log, 1))[-1]
    with pytest.raises(Rewound):
        await anext(log.follow(end + 2))


async def test_a_cluster_that_loses_its_leader_goes_on_without_a_gap() -> None:
    with servers.nats_cluster() as cluster:
        connection = await bus.connect(Settings(nats_url=cluster.url), "test")
        await ensure_streams(connection, 3)
        log = Log(connection)
        async with followed(log, 1) as seen:
            expected = await append(log, 20)
            info = await connection.jetstream().stream_info(subjects.GAMES)
            assert info.cluster is not None
            [leader] = [server for server in cluster.servers if server.name == info.cluster.leader]
            writing = asyncio.create_task(append(log, 200))
            await until(lambda: len(seen) > 30)
            await asyncio.to_thread(leader.kill)
            expected += await writing
            await until(lambda: len(seen) >= len(expected))
            await asyncio.to_thread(leader.start)
            expected += await append(log, 20)
            await until(lambda: len(seen) >= len(expected))
        assert numbers(seen) == expected
        await connection.close()
