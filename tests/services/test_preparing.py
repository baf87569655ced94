"""Before the time of many games has come, each copy of the game service knows those that it will be asked about."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from libs.runtime import postgres
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game.preparing import AHEAD, Preparer
from services.game.store import Store
from tests.services.copies import MIDNIGHT, Clock, Game, copy
from tests.services.tables import folded, folding

pytestmark = pytest.mark.usefixtures("game_tables")


@pytest.fixture(autouse=True)
async def service(settings: Settings, connection: Connection, log: Log, clock: Clock) -> AsyncIterator[None]:
    async with copy(settings, clock), folding(log, settings.postgres_url):
        yield


async def prepared(settings: Settings, store: Store, clock: Clock, mine: set[str]) -> int:
    async def rest(_: float) -> None:
        """There is nothing more urgent."""

    async with postgres.pool(settings, most=1) as pool:
        return await Preparer(pool, store, mine.__contains__, rest, clock).prepare()


async def test_games_whose_time_comes_soon_are_read_and_again_only_when_they_have_moved(
    settings: Settings, connection: Connection, log: Log, clock: Clock
) -> None:
    games = [await Game(connection, clock).started() for _ in range(5)]
    mine = {game.id for game in games[:4]}  # the last is another copy's
    await folded(log, settings.postgres_url)
    store = Store(log)
    clock.now = MIDNIGHT - AHEAD - timedelta(seconds=1)
    assert await prepared(settings, store, clock, mine) == 0
    clock.now = MIDNIGHT - AHEAD
    assert await prepared(settings, store, clock, mine) == 4
    assert await prepared(settings, store, clock, mine) == 0
    await games[0].guess(games[0].ann, "crepe")
    await folded(log, settings.postgres_url)
    assert await prepared(settings, store, clock, mine) == 1
    known = [store.known(game.id) for game in games]
    assert known == [(await log.load(game.id))[-1].sequence for game in games[:4]] + [0]


async def test_games_that_are_over_are_not_read(
    settings: Settings, connection: Connection, log: Log, clock: Clock
) -> None:
    game = await Game(connection, clock).started()
    for by, word in ((game.ann, "banal"), (game.bob, "crepe")):
        await game.guess(by, word)
    await folded(log, settings.postgres_url)
    clock.now = MIDNIGHT - AHEAD / 2
    assert await prepared(settings, Store(log), clock, {game.id}) == 0
