"""Many games woken at once: each is closed as if it were woken alone, and one that cannot be stops no other."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from libs.core import subjects
from libs.core.calls import Answer, WakeMany
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game.answer import Answerer
from services.game.store import Store
from tests.services.copies import MIDNIGHT, Clock, Game, copy, view
from tests.services.test_game_faults import Asks

GAMES = 40


@pytest.fixture
async def copies(settings: Settings, connection: Connection, clock: Clock) -> AsyncIterator[tuple[Answerer, Answerer]]:
    """Two copies that are asked one by one."""
    async with AsyncExitStack() as closing:
        first, second = [await closing.enter_async_context(copy(settings, clock)) for _ in range(2)]
        yield first, second


async def started(answerer: Answerer, clock: Clock, count: int = GAMES) -> list[Game]:
    return [await Asks(answerer, clock).started() for _ in range(count)]


async def wake(answerer: Answerer, games: Sequence[Game | str], kind: str = "duel") -> tuple[str, ...]:
    """Wake these; answers with those that are left."""
    names = tuple(game if isinstance(game, str) else game.id for game in games)
    answer: Answer = await answerer.answer(WakeMany(games=names, kind=kind))
    assert answer.refused is None
    return answer.left


async def events(log: Log, game: Game) -> list[dict[str, Any]]:
    return [event for record in await log.load(game.id) for event in msgspec.json.decode(record.data)["events"]]


async def ends(log: Log, game: Game) -> list[str]:
    return [event["at"] for event in await events(log, game) if event["type"] == "ended"]


async def test_all_are_closed_at_their_midnight_and_each_by_what_happened_in_it(
    copies: tuple[Answerer, Answerer], clock: Clock, log: Log
) -> None:
    games = await started(copies[0], clock)
    solved, *others = games
    await solved.guess(solved.ann, "banal")
    clock.now = MIDNIGHT + timedelta(seconds=3)
    assert await wake(copies[0], games) == ()
    assert [await ends(log, game) for game in games] == [["2026-01-16T05:00:00Z"]] * GAMES
    assert view(await solved.look(solved.ann))["result"]["outcome"] == "win"
    assert view(await others[0].look(others[0].ann))["result"]["outcome"] == "not_counted"


async def test_a_copy_that_knows_none_of_them_closes_them_too(
    copies: tuple[Answerer, Answerer], clock: Clock, log: Log
) -> None:
    games = await started(copies[0], clock)
    clock.now = MIDNIGHT
    assert await wake(copies[1], games) == ()
    assert [len(await ends(log, game)) for game in games] == [1] * GAMES


async def test_to_wake_them_again_changes_nothing(copies: tuple[Answerer, Answerer], clock: Clock, log: Log) -> None:
    games = await started(copies[0], clock)
    clock.now = MIDNIGHT
    for answerer in (copies[0], copies[1], copies[0]):
        assert await wake(answerer, games) == ()
    assert [len(await ends(log, game)) for game in games] == [1] * GAMES


async def test_what_is_not_due_stays_open_and_is_left(
    copies: tuple[Answerer, Answerer], clock: Clock, log: Log
) -> None:
    games = await started(copies[0], clock, 3)
    clock.now = MIDNIGHT - timedelta(microseconds=1)
    assert await wake(copies[0], games) == tuple(game.id for game in games)
    assert [await ends(log, game) for game in games] == [[], [], []]


async def test_a_game_that_another_copy_has_moved_is_left_and_the_others_are_closed(
    copies: tuple[Answerer, Answerer], clock: Clock, log: Log
) -> None:
    games = await started(copies[0], clock)
    moved = Asks(copies[1], clock, games[7].id)
    await moved.guess(moved.ann, "crepe")
    clock.now = MIDNIGHT
    assert await wake(copies[0], games) == (moved.id,)
    assert [len(await ends(log, game)) for game in games] == [int(game.id != moved.id) for game in games]
    assert (await moved.wake()).ended
    assert [event["type"] for event in await events(log, moved)][-2:] == ["guessed", "ended"]


async def test_a_game_in_use_is_left_and_the_others_are_closed(
    copies: tuple[Answerer, Answerer], clock: Clock, log: Log
) -> None:
    games = await started(copies[0], clock, 5)
    clock.now = MIDNIGHT
    async with copies[0].handler.lock(games[2].id):
        assert await wake(copies[0], games) == (games[2].id,)
    assert [len(await ends(log, game)) for game in games] == [1, 1, 0, 1, 1]


async def test_an_unknown_game_and_one_that_cannot_be_read_are_left(
    copies: tuple[Answerer, Answerer], clock: Clock, log: Log
) -> None:
    games, unknown, broken = await started(copies[0], clock, 3), ids.new_id(), ids.new_id()
    await log.append(subjects.game("duel", broken), b"?", 0, "x")
    clock.now = MIDNIGHT
    assert await wake(copies[0], [unknown, *games, broken]) == (unknown, broken)
    assert [len(await ends(log, game)) for game in games] == [1, 1, 1]


async def test_an_open_game_that_had_to_make_room_is_known_still_and_an_ended_one_is_not(
    copies: tuple[Answerer, Answerer], clock: Clock, log: Log
) -> None:
    open_game, ended = await started(copies[0], clock, 2)
    for by, word in ((ended.ann, "banal"), (ended.bob, "crepe")):
        await ended.guess(by, word)
    store = Store(log, most=1)
    whole = await store.fresh(open_game.id)
    await store.fresh(ended.id)
    await store.fresh((await started(copies[0], clock, 1))[0].id)
    assert store.kept(ended.id) is None
    assert store.known(open_game.id) == (await log.load(open_game.id))[-1].sequence
    assert store.peek(open_game.id) == whole
    assert store.kept(open_game.id) == whole


async def test_closing_makes_no_other_game_forgotten(copies: tuple[Answerer, Answerer], clock: Clock, log: Log) -> None:
    store = Store(log, most=2)
    warm, *games = await started(copies[0], clock, 10)
    await store.fresh(warm.id)
    for game in games:
        await store.prepare(game.id, "duel")
    assert warm.id in store._kept
    assert [store.known(game.id) for game in games] == [(await log.load(game.id))[-1].sequence for game in games]
