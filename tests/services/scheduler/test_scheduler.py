"""Games are woken when they are due: by any number of schedulers, after downtime, and when their timers are lost."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import msgspec
import nats.errors
import nats.js.errors
import psycopg
import pytest
from msgspec.structs import replace
from nats.js import JetStreamContext

from libs.core import subjects
from libs.core.calendar import close_of, eastern_day
from libs.core.daily import ANNOUNCED, day_id
from libs.runtime import ids, postgres
from libs.runtime.chat_store import ChatStore
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from libs.runtime.timers import CONSUMER, cancel_timer
from services.scheduler import announce, follow, lease, sweep
from services.scheduler.__main__ import schedule
from services.scheduler.ring import Ringer
from tests.services.scheduler.game_peer import GamePeer, commit, is_led
from tests.until import until

OFFSET = timedelta(days=400)
"""The service's clock runs ahead of the machine's, as after `wordyard up --now`."""

now = clock(OFFSET)


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "GRACE", timedelta())


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, clock_offset=OFFSET.total_seconds())


@pytest.fixture
async def peer(connection: Connection) -> GamePeer:
    peer = GamePeer(now)
    await peer.listen(connection)
    return peer


@asynccontextmanager
async def scheduler(settings: Settings) -> AsyncIterator[None]:
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:  # a crash ends the test at once
        group.create_task(schedule(settings, stop))
        yield
        stop.set()


async def make(log: Log, peer: GamePeer, due: datetime) -> str:
    game = ids.new_id()
    peer.dues[game] = due
    await log.append(subjects.game("duel", game), commit(due), 0, game)
    return game


def soon(seconds: float = 0.3) -> datetime:
    return now() + timedelta(seconds=seconds)


async def test_a_game_is_woken_when_it_is_due(settings: Settings, log: Log, peer: GamePeer) -> None:
    async with scheduler(settings):
        game, later = await make(log, peer, soon()), await make(log, peer, soon(3600))
        await until(lambda: game in peer.closed)
        assert peer.woken[later] == 0


async def test_a_timer_waits_out_the_grace(
    settings: Settings, log: Log, peer: GamePeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "GRACE", timedelta(seconds=1))
    async with scheduler(settings):
        due = soon()
        game = await make(log, peer, due)
        await until(lambda: game in peer.closed)
        assert now() >= due + timedelta(seconds=1)


async def test_a_later_deadline_replaces_the_timer(settings: Settings, log: Log, peer: GamePeer) -> None:
    async with scheduler(settings):
        game = await make(log, peer, soon(1.5))
        sequence = await log.last_sequence()
        peer.dues[game] = soon(3600)
        await log.append(subjects.game("duel", game), commit(peer.dues[game]), sequence, "second")
        rung = await make(log, peer, soon(1.7))
        await until(lambda: rung in peer.closed)
        assert peer.woken[game] == 0


async def test_a_game_that_is_not_due_yet_is_woken_again_at_its_time(
    settings: Settings, log: Log, peer: GamePeer
) -> None:
    async with scheduler(settings):
        game = await make(log, peer, soon(0.1))
        peer.dues[game] = soon(1)
        await until(lambda: game in peer.closed)
        assert peer.woken[game] == 2


async def test_a_game_that_cannot_be_asked_is_asked_again(settings: Settings, log: Log, peer: GamePeer) -> None:
    peer.deaf = 1
    async with scheduler(settings):
        game = await make(log, peer, soon())
        await until(lambda: game in peer.closed)
        assert peer.woken[game] == 2


async def test_timers_of_records_made_while_all_were_down_are_set_at_start(
    settings: Settings, log: Log, peer: GamePeer
) -> None:
    missed = [await make(log, peer, soon(-60)) for _ in range(50)]
    async with scheduler(settings):
        await until(lambda: peer.closed.issuperset(missed))


async def test_timers_that_rang_while_all_were_down_are_heard_at_start(
    settings: Settings, connection: Connection, log: Log, peer: GamePeer
) -> None:
    async with scheduler(settings):
        early = await make(log, peer, soon(0.1))
        game = await make(log, peer, soon(2))
        await until(lambda: early in peer.closed)
    await until(lambda: _rang(connection, game))
    assert peer.woken[game] == 0
    async with scheduler(settings):
        await until(lambda: game in peer.closed)


async def _rang(connection: Connection, game: str) -> bool:
    info = await connection.jetstream().stream_info(subjects.TIMERS, subjects_filter=subjects.due("duel", game))
    return bool(info.state.subjects)


async def test_two_schedulers_wake_every_game_and_none_is_forgotten(
    settings: Settings, log: Log, peer: GamePeer
) -> None:
    async with scheduler(settings), scheduler(settings):
        games = [await make(log, peer, soon(0.5)) for _ in range(200)]
        await until(lambda: peer.closed.issuperset(games), 20)
        assert sum(peer.woken[game] for game in games) == len(games)


async def test_the_chat_of_a_game_is_cleared_at_its_midnight_though_it_ended_before(
    settings: Settings, connection: Connection, log: Log, peer: GamePeer
) -> None:
    chats = ChatStore(connection)
    async with scheduler(settings):
        midnight = soon(1)
        game, open_still = await make(log, peer, midnight), await make(log, peer, soon())
        for chat, until_then in ((game, midnight), (open_still, soon(3600))):
            peer.chats[chat] = until_then
            await chats.add(chat, "m", b"hello", timedelta(hours=1))
        await log.append(subjects.game("duel", game), commit(None), await _last_of(log, game), "the end")
        peer.dues[game] = None
        await until(lambda: _is_empty(chats, game))
        assert await chats.read(open_still)


async def _last_of(log: Log, game: str) -> int:
    return (await log.load(game))[-1].sequence


async def _is_empty(chats: ChatStore, game: str) -> bool:
    return not await chats.read(game)


@pytest.fixture
async def tables(postgres_url: str) -> AsyncIterator[Callable[..., Coroutine[Any, Any, None]]]:
    migrate(postgres_url, ("services.game.tables",))
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as database:

        async def put(game: str, due: datetime, state: str = "playing") -> None:
            await database.execute(
                "insert into games.games (id, kind, state, maker, due, version, seq, made_at)"
                " values (%s, 'duel', %s, 'ann', %s, 1, 1, now())",
                (game, state, due),
            )

        yield put
        await database.execute("truncate games.games")


async def test_a_sweep_wakes_what_is_overdue_and_nothing_else(
    settings: Settings, connection: Connection, log: Log, peer: GamePeer, tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "PAGE", 10)
    overdue = [ids.new_id() for _ in range(25)]
    others = [ids.new_id() for _ in range(3)]
    for game in overdue:
        peer.dues[game] = soon(-60)
        await tables(game, soon(-60))
    for game, due, state in zip(others, (soon(-5), soon(60), soon(-60)), ("playing", "invited", "over"), strict=True):
        await tables(game, due, state)
    async with scheduler(settings):
        await until(lambda: peer.closed.issuperset(overdue))
    assert [peer.woken[game] for game in others] == [0, 0, 0]


async def test_a_lost_timer_is_made_up_by_the_next_sweep(
    settings: Settings, connection: Connection, log: Log, peer: GamePeer, tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "PAUSE", 0.2)
    async with scheduler(settings):
        marker = await make(log, peer, soon(0.1))
        game = await make(log, peer, soon(3600))
        await until(lambda: marker in peer.closed)
        await cancel_timer(connection, "duel", game)
        peer.dues[game] = soon(-60)
        await tables(game, soon(-60))
        await until(lambda: game in peer.closed)


async def test_a_sweep_that_comes_a_moment_before_the_grace_is_over_comes_again_at_once(
    settings: Settings, tables: Callable[..., Coroutine[Any, Any, None]]
) -> None:
    midnight = close_of(eastern_day(now()))
    times = (midnight + sweep.GRACE + timedelta(milliseconds=number - 1) for number in itertools.count())
    game, woken = ids.new_id(), asyncio.Event()
    await tables(game, midnight)

    async def wake(games: Sequence[str], _: str) -> Sequence[str]:
        assert list(games) == [game]
        woken.set()
        return []

    async with postgres.pool(settings) as pool:
        sweeping = asyncio.create_task(sweep.Sweeper(pool, wake, lambda: next(times)).keep())
        await asyncio.wait_for(woken.wait(), 10)
        sweeping.cancel()


async def test_tables_that_can_no_longer_be_read_end_a_sweep_once_what_it_has_found_is_woken(
    settings: Settings, tables: Callable[..., Coroutine[Any, Any, None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "PAGE", 10)
    monkeypatch.setattr(sweep, "AT_ONCE", 1)
    games, woken = [ids.new_id() for _ in range(15)], list[str]()
    for game in games:
        await tables(game, soon(-60))

    async with postgres.pool(settings) as pool:

        async def wake(some: Sequence[str], _: str) -> Sequence[str]:
            async with await psycopg.AsyncConnection.connect(settings.postgres_url) as other:
                await other.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where datname = current_database() and query ilike 'fetch%'"
                )
            woken.extend(some)
            return []

        with pytest.raises(psycopg.Error):
            await sweep.Sweeper(pool, wake, now).sweep(now())
    assert len(woken) == len(set(games).intersection(woken)) == 10


async def test_timers_wait_for_the_end_of_a_sweep_unless_it_stands_still(
    settings: Settings, tables: Callable[..., Coroutine[Any, Any, None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        await tables(ids.new_id(), soon(-60))
    asked, answers = asyncio.Queue[None](), asyncio.Queue[None]()

    async def wake(_: Sequence[str], __: str) -> Sequence[str]:
        asked.put_nowait(None)
        await answers.get()
        return []

    time = SimpleNamespace(seconds=0.0, monotonic=lambda: time.seconds)
    monkeypatch.setattr(sweep, "time", time)
    monkeypatch.setattr(sweep, "TOGETHER", 1)
    async with postgres.pool(settings) as pool:
        sweeper = sweep.Sweeper(pool, wake, now)
        await sweeper.rest()  # nothing to wait for
        sweeping = asyncio.create_task(sweeper.keep())
        for _ in range(2):
            await asyncio.wait_for(asked.get(), 10)

        time.seconds = sweep.YIELDS - 1
        answers.put_nowait(None)
        for _ in range(3):
            await asyncio.sleep(0)  # the answer is taken
        time.seconds = sweep.YIELDS + 1
        resting = asyncio.create_task(sweeper.rest())
        await asyncio.sleep(0)
        assert not resting.done()

        time.seconds = 2 * sweep.YIELDS
        await asyncio.wait_for(sweeper.rest(), 5)
        assert not resting.done()
        answers.put_nowait(None)
        await asyncio.wait_for(resting, 5)
        sweeping.cancel()


def test_games_are_woken_in_questions_of_one_kind_and_partition_and_about_as_large() -> None:
    games = [(ids.new_id(), kind) for kind in ("duel", "mastermind") for _ in range(64 * 150)]
    questions = list(sweep.together(games))
    assert sorted((game, kind) for kind, some in questions for game in some) == sorted(games)
    sizes: dict[tuple[str, int], list[int]] = {}
    for kind, some in questions:
        (part,) = {subjects.partition(game) for game in some}
        sizes.setdefault((kind, part), []).append(len(some))
    for each in sizes.values():
        assert max(each) <= sweep.TOGETHER
        assert max(each) - min(each) <= 1
        assert len(each) == -(-sum(each) // sweep.TOGETHER)


async def test_without_postgres_timers_go_on(settings: Settings, log: Log, peer: GamePeer) -> None:
    async with scheduler(replace(settings, postgres_url="postgresql://127.0.0.1:1/nowhere")):
        game = await make(log, peer, soon())
        await until(lambda: game in peer.closed)


async def test_after_the_log_was_put_back_to_an_older_copy_its_timers_are_set_anew(
    settings: Settings, connection: Connection, log: Log, peer: GamePeer
) -> None:
    store = await lease.bucket(connection, settings)
    entry = {"holder": "", "position": 1_000_000, "offset": settings.clock_offset}
    await store.put(lease.KEY, msgspec.json.encode(entry))
    game = await make(log, peer, soon())
    async with scheduler(settings):
        await until(lambda: game in peer.closed, 20)


async def test_timers_that_this_copy_set_before_the_log_was_put_back_are_set_anew_too(
    settings: Settings, connection: Connection, log: Log, peer: GamePeer
) -> None:
    held = lease.Lease(await lease.bucket(connection, settings), ids.new_id())
    timers = follow.Timers(connection, OFFSET)
    game = await make(log, peer, soon(3600))
    await timers.take(await log.load(game))
    await cancel_timer(connection, "duel", game)
    held.position = 1_000_000
    following = asyncio.create_task(follow.follow(log, timers, held))
    end = await log.last_sequence()
    await until(lambda: held.position == end)
    following.cancel()
    assert await connection.jetstream().get_last_msg(subjects.TIMERS, subjects.timer("duel", game))


async def test_timers_that_have_rung_wait_for_a_sweep(connection: Connection, log: Log, peer: GamePeer) -> None:
    asked, swept = asyncio.Event(), asyncio.Event()

    async def rest() -> None:
        asked.set()
        await swept.wait()

    timers = follow.Timers(connection, OFFSET)
    game = await make(log, peer, soon(-60))
    await timers.take(await log.load(game))
    listening = asyncio.create_task(Ringer(connection, timers, now).listen(asyncio.Event(), create=True, rest=rest))
    await asyncio.wait_for(asked.wait(), 10)
    assert game not in peer.closed
    swept.set()
    await until(lambda: game in peer.closed)
    listening.cancel()


async def test_a_copy_whose_connection_is_closed_for_good_ends(connection: Connection) -> None:
    ringer = Ringer(connection, follow.Timers(connection, OFFSET), now)
    listening = asyncio.create_task(ringer.listen(asyncio.Event(), create=True))
    jetstream = connection.jetstream()
    await until(lambda: _waits(jetstream))
    await connection.close()
    with pytest.raises(nats.errors.ConnectionClosedError):
        await asyncio.wait_for(listening, 10)


async def _waits(jetstream: JetStreamContext) -> bool:
    """Has somebody asked for timers?"""
    with suppress(nats.js.errors.NotFoundError):
        return (await jetstream.consumer_info(subjects.TIMERS, CONSUMER["durable_name"])).num_waiting > 0
    return False


async def test_days_are_told_of_again_and_again_and_soon_after_the_game_service_was_away(
    settings: Settings, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announce, "PAUSE", 0.2)
    async with scheduler(settings):
        store = await lease.bucket(connection, settings)
        await until(lambda: is_led(store))
        peer = GamePeer(now)
        await peer.listen(connection)
        today = day_id(eastern_day(now()))
        await until(lambda: peer.told[today] >= 3, 20)
        assert len(peer.told) == announce.BEHIND + 1 + ANNOUNCED.days
