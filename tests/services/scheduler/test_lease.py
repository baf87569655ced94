"""One scheduler leads at a time; another takes over at once after an orderly end, and soon after a kill."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from functools import partial

import pytest
from nats.js.kv import KeyValue

from libs.core import subjects
from libs.runtime import ids
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings, environment
from services.scheduler import lease
from services.scheduler.lease import Lease
from tests.services.scheduler.game_peer import GamePeer, commit, is_led
from tests.until import until


@pytest.fixture
async def store(connection: Connection, settings: Settings) -> AsyncIterator[KeyValue]:
    store = await lease.bucket(connection, settings)
    yield store
    await store.purge(lease.KEY)


async def test_one_of_two_leads(store: KeyValue) -> None:
    first, second = Lease(store, "first"), Lease(store, "second")
    assert [await first.beat(), await second.beat(), await first.beat(), await second.beat()] == [True, False] * 2


async def test_of_two_that_begin_together_one_leads(store: KeyValue) -> None:
    leases = [Lease(store, str(number)) for number in range(8)]
    assert sum(await asyncio.gather(*(lease.beat() for lease in leases))) == 1


async def test_after_an_orderly_end_the_next_goes_on_from_its_position_at_once(store: KeyValue) -> None:
    first, second = Lease(store, "first"), Lease(store, "second")
    await first.beat()
    assert not await second.beat()
    first.position = 41
    await first.release()
    assert not first.leading
    assert await second.beat()
    assert second.position == 41


async def test_by_a_clock_that_was_shifted_all_timers_are_set_anew(store: KeyValue) -> None:
    first, second = Lease(store, "first"), Lease(store, "second", offset=3600)
    await first.beat()
    first.position = 41
    await first.release()
    assert await second.beat()
    assert second.position == 0


async def test_a_silent_leader_is_followed_after_three_seconds_and_not_before(store: KeyValue) -> None:
    first, second = Lease(store, "first"), Lease(store, "second")
    await first.beat()
    first.position = 41
    await first.beat()
    began = time.monotonic()
    await until(second.beat, 6)
    assert lease.LOST <= time.monotonic() - began < lease.LOST + 1
    assert second.position == 41
    first.position = 7
    assert not await first.beat()  # it wakes up, and may not move the position back
    await second.beat()
    assert b'"position":41' in ((await store.get(lease.KEY)).value or b"")


async def test_whoever_begins_follows_a_leader_that_has_long_been_silent_at_once(
    store: KeyValue, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Lease(store, "first")
    await first.beat()
    first.position = 41
    await first.beat()
    second, third = (Lease(store, name, age=partial(lease.age, connection)) for name in ("second", "third"))
    assert not await second.beat()
    monkeypatch.setattr(lease, "LOST", await lease.age(connection))
    assert await third.beat()
    assert third.position == 41
    assert not await first.beat()


async def test_a_lease_is_as_old_as_the_server_says(store: KeyValue, connection: Connection) -> None:
    leader = Lease(store, "leader")
    before = time.monotonic()
    await leader.beat()
    old = await lease.age(connection)
    assert 0 <= old <= time.monotonic() - before
    await until(partial(_is_older, connection, old), 5)


async def _is_older(connection: Connection, old: float) -> bool:
    return await lease.age(connection) > old


async def test_a_leader_that_cannot_write_stops_before_another_begins(
    settings: Settings, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease, "GIVE_UP", 0.2)
    store = await lease.bucket(connection, settings)
    leader = Lease(store, "leader")
    assert await leader.beat()
    await connection.close()
    assert await leader.beat()
    await until(lambda: _stopped(leader), 2)


async def _stopped(leader: Lease) -> bool:
    return not await leader.beat()


async def test_after_a_kill_the_other_copy_sets_the_timers(
    settings: Settings, connection: Connection, log: Log
) -> None:
    peer = GamePeer(clock())
    await peer.listen(connection)
    store = await lease.bucket(connection, settings)
    processes = [leader := await _start(settings)]
    try:
        await until(lambda: is_led(store), 20)
        processes.append(other := await _start(settings))
        leader.send_signal(signal.SIGKILL)
        await leader.wait()
        game = ids.new_id()
        peer.dues[game] = clock()()
        await log.append(subjects.game("duel", game), commit(peer.dues[game]), 0, game)
        await until(lambda: game in peer.closed, 15)
        other.terminate()
        assert await other.wait() == 0
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _start(settings: Settings) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "services.scheduler",
        env={**os.environ, **environment(settings)},
        stdout=asyncio.subprocess.DEVNULL,
    )
