"""A copy of the game service that knows too little: after a restart, behind another copy, without the log."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import msgspec
import nats.errors
import psutil
import pytest
from msgspec import Raw

from libs.core import calls, subjects
from libs.core.calls import TRY_AGAIN, Answer, Do, Look, Person
from libs.runtime import bus, ids
from libs.runtime.connection import Connection
from libs.runtime.embedded import NatsServer
from libs.runtime.log import Log, ensure_streams
from libs.runtime.settings import Settings
from services.game.answer import Answerer
from services.game.copies import BEAT, GONE, Copy, owned
from services.game.store import Store
from tests import servers
from tests.services.copies import MIDNIGHT, Clock, Game, commands, copy, view
from tests.until import until


@pytest.fixture
async def copies(settings: Settings, connection: Connection, clock: Clock) -> AsyncIterator[tuple[Answerer, Answerer]]:
    """Two copies that are asked one by one."""
    async with AsyncExitStack() as closing:
        first, second = [await closing.enter_async_context(copy(settings, clock)) for _ in range(2)]
        yield first, second


class Asks(Game):
    """A game whose players ask one copy directly."""

    def __init__(self, answerer: Answerer, clock: Clock, game: str = "") -> None:
        self._answerer = answerer
        self._clock = clock
        self.id = game or ids.new_id()
        self.ann, self.bob = f"ann-{self.id[-12:]}", f"bob-{self.id[-12:]}"

    async def call(self, call: calls.Call) -> Answer:
        return await self._answerer.answer(call)


async def test_a_copy_that_is_behind_shows_the_newest_version(copies: tuple[Answerer, Answerer], clock: Clock) -> None:
    one = await Asks(copies[0], clock).started()
    other = Asks(copies[1], clock, one.id)
    await other.guess(one.ann, "crepe")
    assert view(await one.look(one.ann))["version"] == 3


async def test_a_copy_that_is_behind_refuses_nothing_that_is_possible_by_now(
    copies: tuple[Answerer, Answerer], clock: Clock
) -> None:
    one = Asks(copies[0], clock)
    await one.open(rival=one.bob)
    other = Asks(copies[1], clock, one.id)
    await other.do(one.bob, type="secret", secret="banal")
    assert view(await one.guess(one.ann, "crepe"))["version"] == 3  # too early, as far as this copy knew


async def test_a_copy_that_is_behind_takes_no_seventh_guess(copies: tuple[Answerer, Answerer], clock: Clock) -> None:
    one = await Asks(copies[0], clock).started()
    other = Asks(copies[1], clock, one.id)
    for number in range(6):
        assert (await other.guess(one.ann, "crepe", str(number))).refused is None
    assert (await one.guess(one.ann, "crepe")).refused == "finished"
    assert view(await one.guess(one.ann, "crepe", "2"))["version"] == 5


async def test_a_copy_that_saw_only_the_invite_closes_the_game_at_its_midnight(
    copies: tuple[Answerer, Answerer], clock: Clock
) -> None:
    one = Asks(copies[0], clock)
    await one.open()
    await Asks(copies[1], clock, one.id).do(one.bob, type="accept", secret="banal")
    clock.now = MIDNIGHT
    answer = await one.wake()
    assert (answer.ended, answer.due) == (True, None)


async def test_a_new_copy_answers_a_repetition_as_the_old_one_did(
    settings: Settings, connection: Connection, clock: Clock
) -> None:
    async with copy(settings, clock) as old:
        game = await Asks(old, clock).started()
        first = await game.guess(game.ann, "crepe", "key")
        await game.guess(game.ann, "banal")
    async with copy(settings, clock) as new:
        again = Asks(new, clock, game.id)
        assert (await again.guess(game.ann, "crepe", "key")).seen == first.seen
        assert (await again.guess(game.ann, "abbey", "key")).refused == "key_reused"


async def test_a_copy_that_has_forgotten_a_game_reads_it_again(connection: Connection, clock: Clock, log: Log) -> None:
    answerer = Answerer(connection, clock, Store(log, most=1))
    games = [await Asks(answerer, clock).started() for _ in range(3)]
    for game in games:
        assert view(await game.guess(game.ann, "crepe"))["version"] == 3


async def test_every_partition_belongs_to_one_copy_and_moves_only_if_it_must() -> None:
    names = {ids.new_id() for _ in range(5)}
    before = {name: owned(name, names - {name}) for name in names}
    assert sorted(number for some in before.values() for number in some) == list(range(subjects.PARTITIONS))
    gone = names.pop()
    after = {name: owned(name, names - {name}) for name in names}
    assert sorted(number for some in after.values() for number in some) == list(range(subjects.PARTITIONS))
    assert all(before[name] <= after[name] for name in names)
    assert gone not in after


async def test_the_partitions_of_a_copy_that_leaves_are_heard_at_once(
    settings: Settings, connection: Connection, clock: Clock
) -> None:
    async with copy(settings, clock):
        async with copy(settings, clock):
            pass

        async def heard() -> bool:
            look = msgspec.json.encode(Look(game="none", by=Person(id="ann")))
            everywhere = (subjects.ask_partition(number) for number in range(subjects.PARTITIONS))
            try:
                await asyncio.gather(*(connection.request(subject, look, timeout=1) for subject in everywhere))
            except nats.errors.NoRespondersError:
                return False
            return True

        await until(heard, GONE / 2)  # long before its silence would tell


async def test_a_copy_that_has_left_is_not_counted_again_while_it_finishes_its_work(
    settings: Settings, connection: Connection, clock: Clock
) -> None:
    answerer = Answerer(connection, clock)
    stays, leaves = (Copy(connection, answerer.hear) for _ in range(2))
    keeping = [asyncio.create_task(place.keep()) for place in (stays, leaves)]
    for place in (stays, leaves):
        await place.join()
    await until(lambda: len(stays.partitions) < subjects.PARTITIONS)
    await leaves.leave()
    await until(lambda: len(stays.partitions) == subjects.PARTITIONS)
    await asyncio.wait_for(keeping[1], 2 * BEAT)
    assert len(stays.partitions) == subjects.PARTITIONS
    keeping[0].cancel()
    await stays.leave()


async def test_a_copy_whose_connection_is_closed_for_good_ends(settings: Settings, connection: Connection) -> None:
    client = await bus.connect(settings, "game")
    place = Copy(client, Answerer(client, Clock()).hear)
    await place.join()
    await client.close()
    with pytest.raises(nats.errors.ConnectionClosedError):
        await place.keep()


@pytest.fixture
def server() -> Iterator[NatsServer]:
    """A nats-server of its own, to be stopped."""
    with servers.nats_server() as own:
        yield own


@pytest.fixture
async def alone(server: NatsServer, clock: Clock) -> AsyncIterator[Asks]:
    """A game at a copy with that server."""
    client = await bus.connect(Settings(nats_url=server.url), "test")
    await ensure_streams(client, 1)
    yield await Asks(Answerer(client, clock), clock).started()
    await client.close()


def guess(game: Game, key: str, clock: Clock) -> Do:
    command = Raw(b'{"type":"guess","word":"crepe"}')
    return Do(game=game.id, by=Person(id=game.ann), key=key, received=clock(), command=command)


async def test_without_the_log_the_outcome_is_unknown_and_the_retry_is_right(
    alone: Asks, server: NatsServer, clock: Clock
) -> None:
    server.kill()
    assert (await alone.call(guess(alone, "key", clock))).refused == TRY_AGAIN
    server.start()

    async def retried() -> Answer | None:
        answer = await alone.call(guess(alone, "key", clock))
        return answer if answer.refused != TRY_AGAIN else None

    assert view(await until(retried))["version"] == 3  # type: ignore[arg-type]
    assert view(await alone.call(guess(alone, "key", clock)))["version"] == 3


async def test_a_command_whose_acknowledgement_is_lost_is_taken_once(
    alone: Asks, server: NatsServer, clock: Clock
) -> None:
    process = psutil.Process(server.pid)
    process.suspend()  # takes what is sent, and says nothing
    await until(lambda: process.status() == psutil.STATUS_STOPPED)
    assert (await alone.call(guess(alone, "key", clock))).refused == TRY_AGAIN
    process.resume()

    async def retried() -> Answer | None:
        answer = await alone.call(guess(alone, "key", clock))
        return answer if answer.refused != TRY_AGAIN else None

    assert view(await until(retried))["version"] == 3  # type: ignore[arg-type]
    client = await bus.connect(Settings(nats_url=server.url), "test")
    assert (await commands(Log(client), alone.id)).count(f"{alone.ann}:key") == 1
    await client.close()


async def test_a_record_that_cannot_be_read_stops_its_game_alone(
    connection: Connection, log: Log, clock: Clock
) -> None:
    answerer = Answerer(connection, clock)
    broken = ids.new_id()
    await log.append(subjects.game("duel", broken), b"{}", 0, "key")
    assert (await Asks(answerer, clock, broken).look("ann")).refused == TRY_AGAIN
    assert (await Asks(answerer, clock).open()).refused is None
