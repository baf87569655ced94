"""deploy/local-cluster: the processes of the compose file, with its environment, under players."""

import asyncio
from collections.abc import Iterator

import pytest

from services.cli.cluster import Cluster
from tests.deploy.guests import RESTARTS, WORDS, Follower, Guest, guests, play_on
from tests.services.api.player import duel

SERVICES = ("api", "game", "scheduler", "solver", "worker")
LATE = 0.05  # the share of requests that may have to be asked again
COPIES = [f"{service}-{copy}" for service in SERVICES for copy in (1, 2)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(tls=True, durable=False, settings={"WORDYARD_RATE_LIMIT": "false"}) as running:
        yield running


async def guess(guest: Guest, game: str, word: str) -> int:
    """The version of the game after this guess."""
    version: int = (await guest.post(f"/games/{game}/guesses", {"word": word}, f"{guest.id} {word}"))["version"]
    return version


@pytest.mark.timeout(300)
async def test_everything_runs_and_a_whole_duel_is_played(cluster: Cluster) -> None:
    assert [name for name, part in cluster.processes.items() if part.running] == [
        "nats-1", "nats-2", "nats-3", "postgres", *(name for name in cluster.processes if name in COPIES), "proxy",
    ]  # fmt: skip
    ann, bob = await guests(cluster)
    game = await duel(ann, bob)
    followers = [Follower(ann, game), Follower(bob, game)]
    for word in WORDS[:2]:
        await guess(ann, game, word)
        await guess(bob, game, word)
    await guess(ann, game, "sight")
    version = await guess(bob, game, "crepe")
    await asyncio.wait_for(asyncio.gather(*(follower.task for follower in followers)), 10)
    view = await ann.get(f"/games/{game}")
    assert (view["version"], view["state"]) == (version, "finished")
    assert [follower.versions[-1] for follower in followers] == [version, version]


@pytest.mark.timeout(400)
async def test_each_service_is_restarted_in_turn_and_no_request_is_lost(cluster: Cluster) -> None:
    """No connection breaks, and no answer is another than it should be: at most a few are late and are asked again."""
    people = await guests(cluster, 6)
    stop = asyncio.Event()
    playing = asyncio.gather(*(play_on(pair, stop) for pair in (people[:2], people[2:4])))
    ann, bob = people[4:]
    slow = await duel(ann, bob)
    followers = [Follower(guest, slow) for guest in (ann, bob)]
    moves = iter([(guest, word) for word in WORDS for guest in (ann, bob)])
    try:
        for name in COPIES:
            before = cluster.processes[name].pid
            await asyncio.to_thread(cluster.restart, name)
            assert cluster.processes[name].pid != before
            guest, word = next(moves)
            await guess(guest, slow, word)
            assert not playing.done(), (name, playing.exception())
        for guest, word in moves:
            version = await guess(guest, slow, word)
        stop.set()
        assert min(await asyncio.wait_for(playing, 60)) >= 1
        await asyncio.wait_for(asyncio.gather(*(follower.task for follower in followers)), 20)
    finally:
        playing.cancel()
    for follower in followers:
        assert follower.versions == list(range(follower.versions[0], version + 1))
        assert set(follower.codes) == {RESTARTS}
    assert sum(guest.told_to_ask_again for guest in people) <= sum(guest.asked for guest in people) * LATE


@pytest.mark.timeout(300)
async def test_a_killed_copy_of_the_api_costs_no_request(cluster: Cluster) -> None:
    """Each guess has a key, so the proxy asks the other copy where one has died over it."""
    people = await guests(cluster, 4)
    stop = asyncio.Event()
    playing = asyncio.gather(*(play_on(pair, stop) for pair in (people[:2], people[2:])))
    try:
        for name in ("api-1", "api-2"):
            cluster.kill(name)
            await asyncio.to_thread(cluster.start, name)
            assert not playing.done(), (name, playing.exception())
        stop.set()
        await asyncio.wait_for(playing, 60)
    finally:
        playing.cancel()
