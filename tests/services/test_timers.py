"""Timers ring once, when they should, though nobody was there; a new one replaces the old."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from nats.aio.msg import Msg
from nats.errors import TimeoutError as Nothing

from libs.core import subjects
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.embedded import NatsServer
from libs.runtime.timers import cancel_timer, due_consumer, set_timer
from tests.until import until


def in_seconds(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


async def rung(connection: Connection, count: int, patience: float = 5) -> list[tuple[str, datetime]]:
    """The next timers that ring: their games, and when the server let each ring."""
    consumer = await due_consumer(connection)
    found: list[tuple[str, datetime]] = []

    async def take() -> bool:
        messages: list[Msg] = []
        try:
            messages = await consumer.fetch(count, timeout=0.2)
        except Nothing:
            return False
        for message in messages:
            await message.ack_sync()
            found.append((subjects.game_of(message.subject)[1], message.metadata.timestamp))
        return len(found) >= count

    await until(take, patience)
    await consumer.unsubscribe()
    return found


async def nothing_rings(connection: Connection, seconds: float) -> None:
    consumer = await due_consumer(connection)
    with pytest.raises(Nothing):
        await consumer.fetch(1, timeout=seconds)
    await consumer.unsubscribe()


async def test_a_timer_rings_at_its_time(connection: Connection) -> None:
    game, at = ids.new_id(), in_seconds(0.5)
    await set_timer(connection, "duel", game, at)
    [(found, when)] = await rung(connection, 1)
    assert found == game
    assert timedelta() <= when - at < timedelta(seconds=0.5)


async def test_a_time_that_has_passed_rings_at_once(connection: Connection) -> None:
    game = ids.new_id()
    await set_timer(connection, "duel", game, in_seconds(-3600))
    [(found, _)] = await rung(connection, 1, patience=1)
    assert found == game


async def test_a_shifted_clock_shifts_its_timers(connection: Connection) -> None:
    game, day = ids.new_id(), timedelta(days=1)
    await set_timer(connection, "duel", game, in_seconds(0.3) + day, offset=day)
    [(found, _)] = await rung(connection, 1, patience=2)
    assert found == game


@pytest.mark.parametrize(("first", "second"), [(0.3, 0.6), (60, 0.3)])
async def test_a_new_timer_replaces_the_old_one(connection: Connection, first: float, second: float) -> None:
    game, at = ids.new_id(), in_seconds(second)
    await set_timer(connection, "duel", game, in_seconds(first))
    await set_timer(connection, "duel", game, at)
    [(found, when)] = await rung(connection, 1)
    assert (found, when >= at) == (game, True)
    await nothing_rings(connection, 0.5)


async def test_a_cancelled_timer_never_rings(connection: Connection) -> None:
    cancelled, other = ids.new_id(), ids.new_id()
    await set_timer(connection, "duel", cancelled, in_seconds(0.3))
    await set_timer(connection, "duel", other, in_seconds(0.5))
    await cancel_timer(connection, "duel", cancelled)
    await cancel_timer(connection, "duel", cancelled)
    [(found, _)] = await rung(connection, 1)
    assert found == other


async def test_a_timer_that_came_due_while_the_server_was_away_rings_once(
    nats_server: NatsServer, connection: Connection
) -> None:
    games = {ids.new_id() for _ in range(5)}
    at = in_seconds(0.5)
    for game in games:
        await set_timer(connection, "duel", game, at)
    await asyncio.to_thread(nats_server.kill)
    await until(lambda: datetime.now(UTC) > at)
    await asyncio.to_thread(nats_server.start)
    await until(lambda: connection.is_connected)
    assert {game for game, _ in await rung(connection, 5)} == games
    await nothing_rings(connection, 0.5)


async def test_a_timer_that_nobody_finished_comes_again_to_another_copy(connection: Connection) -> None:
    game = ids.new_id()
    await set_timer(connection, "duel", game, in_seconds(0))
    first, second = await due_consumer(connection), await due_consumer(connection)
    [message] = await first.fetch(1, timeout=2)
    await message.nak(delay=0.1)
    [message] = await second.fetch(1, timeout=2)
    assert subjects.game_of(message.subject) == ("duel", game)
    await message.ack_sync()
    for consumer in (first, second):
        await consumer.unsubscribe()


async def test_the_consumer_is_compared_and_put_right(connection: Connection) -> None:
    await due_consumer(connection)
    js = connection.jetstream()
    info = await js.consumer_info(subjects.TIMERS, "scheduler")
    info.config.ack_wait = 99
    await js.add_consumer(subjects.TIMERS, info.config)
    await due_consumer(connection)
    assert (await js.consumer_info(subjects.TIMERS, "scheduler")).config.ack_wait == 10
