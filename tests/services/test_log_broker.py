"""The log and a broker that stops, dies or hangs: what is acknowledged stays, what failed never comes back."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator

import psutil
import pytest

from libs.core import subjects
from libs.runtime import bus, ids
from libs.runtime.connection import Connection
from libs.runtime.embedded import NatsServer
from libs.runtime.log import Conflict, Down, Log, Unknown, Unread, ensure_streams
from libs.runtime.settings import Settings
from tests import servers
from tests.until import until


@pytest.fixture
def nats_server() -> Iterator[NatsServer]:
    with servers.folder() as path:
        server = NatsServer(path / "nats", sync="always")
        server.start()
        yield server
        server.kill()


@pytest.fixture
async def connection(nats_server: NatsServer) -> AsyncIterator[Connection]:
    client = await bus.connect(Settings(nats_url=nats_server.url), "test")
    await ensure_streams(client, 1)
    yield client
    await client.close()


async def test_while_the_broker_is_away_an_append_fails_at_once_and_is_never_stored(
    nats_server: NatsServer, connection: Connection, log: Log
) -> None:
    game = ids.new_id()
    subject = subjects.game("duel", game)
    first = await log.append(subject, b"made", 0, "ann:1")
    await asyncio.to_thread(nats_server.stop)
    await until(lambda: not connection.is_connected)
    for number in range(10):
        began = time.monotonic()
        with pytest.raises(Down):
            await log.append(subject, b"ghost", first, f"bob:{number}", [(subjects.claim(game), b"ghost")])
        assert time.monotonic() - began < 0.1
    with pytest.raises(Unread):
        await log.load(game)
    await asyncio.to_thread(nats_server.start)
    await until(lambda: connection.is_connected)
    assert await log.append(subject, b"moved", first, "ann:2") == first + 1
    assert [record.data for record in await log.load(game)] == [b"made", b"moved"]
    assert await log.claim(subjects.claim(game)) is None


async def test_a_killed_broker_keeps_what_it_acknowledged_and_no_half_of_anything(
    nats_server: NatsServer, connection: Connection, log: Log
) -> None:
    attempted: list[str] = []
    acknowledged: dict[str, int] = {}

    async def write(claims: int) -> None:
        while connection.is_connected:
            game = ids.new_id()
            attempted.append(game)
            claimed = [(subjects.claim(f"{game} {number}"), b"x") for number in range(claims)]
            try:
                acknowledged[game] = await log.append(subjects.game("duel", game), game.encode(), 0, game, claimed)
            except (Down, Unknown):
                return

    writers = asyncio.gather(*(write(number % 4) for number in range(16)))
    await until(lambda: len(acknowledged) > 100)
    await asyncio.to_thread(nats_server.kill)
    await asyncio.to_thread(nats_server.start)
    await writers
    await until(lambda: connection.is_connected)
    stored = {game: await log.load(game) for game in attempted}
    for game, sequence in acknowledged.items():
        assert [(record.sequence, record.data) for record in stored[game]] == [(sequence, game.encode())]
    follower = log.follow()
    seen: list[str] = []
    async for records in follower:
        seen += [record.subject for record in records]
        if len(seen) == await log.last_sequence():
            break
    await follower.aclose()
    claims = {subjects.claim(f"{game} {number}"): game for game in attempted for number in range(3)}
    for subject in seen:
        if subject in claims:
            assert subjects.game("duel", claims[subject]) in seen


async def test_an_append_without_an_answer_is_unknown_and_asking_again_settles_it(
    nats_server: NatsServer, log: Log
) -> None:
    game = ids.new_id()
    subject = subjects.game("duel", game)
    assert nats_server.pid is not None
    os.kill(nats_server.pid, signal.SIGSTOP)
    try:
        await until(lambda: psutil.Process(nats_server.pid).status() == psutil.STATUS_STOPPED)
        with pytest.raises(Unknown):
            await log.append(subject, b"made", 0, "ann:1")
    finally:
        os.kill(nats_server.pid, signal.SIGCONT)
    with pytest.raises(Conflict):
        await log.append(subject, b"made", 0, "ann:1")
    assert [record.data for record in await log.load(game)] == [b"made"]


async def test_appends_of_many_games_do_not_wait_for_each_other(log: Log) -> None:
    async def append() -> None:
        await log.append(subjects.game("duel", ids.new_id()), b"made", 0, "ann:1")

    began = time.monotonic()
    for _ in range(64):
        await append()
    one_by_one = time.monotonic() - began
    began = time.monotonic()
    await asyncio.gather(*(append() for _ in range(64)))
    assert time.monotonic() - began < one_by_one
