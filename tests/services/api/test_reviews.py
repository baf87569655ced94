"""Ended games looked back on: for who sat there, made once, both sides."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from libs.core import calls
from libs.core.calendar import close_of, eastern_day
from libs.runtime import bus, ids
from libs.runtime.clock import clock
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from services.solver import broker
from services.solver.tasks import declare
from tests import servers
from tests.services.api.player import Player, duel, execute, good
from tests.services.api.service import running
from tests.services.api.test_daily import guess, wrong
from tests.until import until

ANN_GUESSES = ("light", "sight")
BOB_GUESSES = ("house", "crepe")


@pytest.fixture(scope="module")
def folder() -> Iterator[str]:
    """Where the solver's things are; made once."""
    with servers.folder() as path:
        yield str(path)


@contextmanager
def worker(settings: Settings, folder: str) -> Iterator[None]:
    queue, pool = broker.connect(settings)
    declare(queue, pool, replace(settings, solver_folder=folder), clock())
    with pool, broker.working(queue):
        yield


@pytest.fixture
async def ended(ann: Player, bob: Player) -> AsyncIterator[str]:
    """A game that both have finished: ann was to find sight, bob crepe."""
    game = await duel(ann, bob)
    for player, words in ((ann, ANN_GUESSES), (bob, BOB_GUESSES)):
        for word in words:
            await player.post(f"/games/{game}/guesses", {"word": word})
    yield game
    await execute(ann.service, "truncate reviews, dramatiq.queue")


async def made(player: Player, game: str) -> Any:
    async def asked() -> Any:
        answer = await player.send("GET", f"/games/{game}/review")
        if answer.status_code == 202:
            assert (answer.json(), answer.headers["retry-after"]) == ({}, "1")
            return None
        return good(answer)

    return await until(asked, 30)


async def test_both_look_back_on_both_sides(ann: Player, bob: Player, ended: str, folder: str) -> None:
    assert (await ann.send("GET", f"/games/{ended}/review")).status_code == 202
    with worker(ann.service.settings, folder):
        seen = await made(ann, ended)
    assert [row["guess"] for row in seen["you"]["rows"]] == list(ANN_GUESSES)
    assert [row["guess"] for row in seen["opponent"]["rows"]] == list(BOB_GUESSES)
    first, last = seen["you"]["rows"]
    assert (first["marks"], first["before"], last["left"], last["luck"] > 50) == ("ICCCC", 8636, 1, True)
    assert await made(bob, ended) == {"you": seen["opponent"], "opponent": seen["you"]}


async def test_it_is_made_once_and_asked_for_often(ann: Player, bob: Player, ended: str, folder: str) -> None:
    for player in (ann, bob, ann):
        assert (await player.send("GET", f"/games/{ended}/review")).status_code == 202
    assert await execute(ann.service, "select count(*) from dramatiq.queue") == [(1,)]
    with worker(ann.service.settings, folder):
        first = await made(ann, ended)
        await until(lambda: _nothing_queued(ann))  # a task is taken off after its work is seen
    made_at = await execute(ann.service, "select made_at from reviews order by player")
    assert await made(ann, ended) == first
    assert await execute(ann.service, "select made_at from reviews order by player") == made_at
    assert await _nothing_queued(ann)


async def _nothing_queued(player: Player) -> bool:
    return await execute(player.service, "select count(*) from dramatiq.queue") == [(0,)]


async def test_a_task_that_was_lost_is_queued_again_when_somebody_asks(ann: Player, ended: str, folder: str) -> None:
    await ann.send("GET", f"/games/{ended}/review")
    await execute(ann.service, "truncate dramatiq.queue")
    with worker(ann.service.settings, folder):
        assert (await made(ann, ended))["you"]["status"] == "ok"


async def test_only_players_look_back_and_only_when_it_is_over(
    ann: Player, bob: Player, eve: Player, player: Any, ended: str
) -> None:
    await eve.refused("not_a_player", 403, "GET", f"/games/{ended}/review")
    await ann.send("GET", f"/games/{ended}/review")
    await eve.refused("not_a_player", 403, "GET", f"/games/{ended}/review")
    await player().refused("unauthorized", 401, "GET", f"/games/{ended}/review")
    await ann.refused("not_ended", 409, "GET", f"/games/{await duel(ann, bob)}/review")
    for unknown in (ids.new_id(), "x"):
        await ann.refused("unknown_game", 404, "GET", f"/games/{unknown}/review")


async def test_a_guest_who_has_become_an_account_sat_there(ann: Player, ended: str) -> None:
    await ann.send("GET", f"/games/{ended}/review")
    await ann.sign_in(f"{ended}@example.org")
    assert (await ann.send("GET", f"/games/{ended}/review")).status_code == 202


async def test_without_guesses_there_is_nothing_to_look_back_on(settings: Settings, folder: str) -> None:
    migrate(settings.postgres_url)
    with running(settings) as service:
        ann, bob = await Player(service).enter(), await Player(service).enter()
        game = await duel(ann, bob)
        await ann.post(f"/games/{game}/guesses", {"word": "light"})
    later = close_of(eastern_day(clock()())) - clock()()
    with running(replace(settings, clock_offset=later.total_seconds() + 60)) as service, worker(settings, folder):
        for player in (ann, bob):
            player.move_to(service)
        connection = await bus.connect(settings, "test")
        assert (await bus.ask(connection, calls.Wake(game=game, kind="duel"))).ended
        await connection.close()
        seen = await made(bob, game)
        assert seen["you"] is None
        assert [row["guess"] for row in seen["opponent"]["rows"]] == ["light"]
    await ann.http.aclose()
    await bob.http.aclose()


async def test_who_plays_alone_looks_back_alone(ann: Player, folder: str) -> None:
    words = wrong()
    for word in words:
        view = await guess(ann, word)
    with worker(ann.service.settings, folder):
        seen = await made(ann, view["id"])
    assert [row["guess"] for row in seen["you"]["rows"]] == words
    assert seen["opponent"] is None
