"""kill -9 of every process in turn under load: no acknowledged guess is lost or taken twice."""

import asyncio
import os
import signal
from collections import Counter
from typing import Any

import msgspec
import psutil
import pytest

from libs.core.games.duel import DUEL
from libs.core.messages import Commit, command_id
from libs.runtime import bus
from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.cli.bench.players import Game, Pair, pairs
from services.cli.bench.wire import Wire
from tests.e2e.conftest import Running, up
from tests.until import until

pytestmark = pytest.mark.faults

PAIRS, GAMES = 8, 30
VICTIMS = ("services.game", "services.api", "nats-server", "services.scheduler", "postgres", "services.solver")
Acknowledged = dict[str, dict[str, bytes]]  # game -> command id -> the answer


def victim(service: Running, name: str) -> int | None:
    """The process id of this part of the service, while it runs."""
    match name:
        case "nats-server":
            return NatsServer(service.data / "nats").pid
        case "postgres":
            return Postgres(service.data / "postgres").pid
        case _:
            children = psutil.Process(service.pid).children()
            return next((child.pid for child in children if name in words_of(child)), None)


def words_of(process: psutil.Process) -> list[str]:
    """Its command line; empty for one that is just dying."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def insist(pair: Pair, side: int, request: bytes) -> bytes:
    """Send a request until it is acknowledged, over new connections where one breaks; answers with the view."""
    wire = pair.wires[side]
    while True:
        try:
            status, body = await asyncio.wait_for(wire.send(request), 6)
            if status < 300:
                return body
            assert status == 503, body
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            pass
        await asyncio.wait_for(reconnect(wire), 30)


async def reconnect(wire: Wire) -> None:
    """A new connection for this wire, as soon as somebody listens."""
    wire.writer.close()
    while True:
        await asyncio.sleep(0.05)
        try:
            await wire.__aenter__()
        except OSError:
            continue
        return


async def play(pair: Pair, games: list[Game], acknowledged: Acknowledged) -> None:
    """Play all games of a pair to their end, every guess until it is acknowledged."""
    for game in games:
        answers = acknowledged.setdefault(game.id, {})
        for turn, (side, request) in enumerate(game.guesses):
            answers[command_id(pair.players[side], str(turn // 2))] = await insist(pair, side, request)


async def kill_each(service: Running, playing: asyncio.Future[Any]) -> list[str]:
    """Kill one process after the other, each when the one before is back, while the game goes on."""
    killed: list[str] = []
    for name in VICTIMS * 2:
        if playing.done():
            break
        os.kill(await until(lambda name=name: victim(service, name), 20), signal.SIGKILL)
        killed.append(name)
        await asyncio.sleep(0.7)  # load, not a wait for a result: the players go on in between
    return killed


@pytest.mark.timeout(300)
async def test_no_acknowledged_guess_is_lost_or_taken_twice() -> None:
    with up() as service:
        ready = await pairs(service.address, PAIRS, GAMES)
        acknowledged: Acknowledged = {}
        playing = asyncio.ensure_future(asyncio.gather(*(play(pair, games, acknowledged) for pair, games in ready)))
        try:
            assert set(await kill_each(service, playing)) == set(VICTIMS)
            await asyncio.wait_for(playing, 120)
        finally:
            playing.cancel()
        await check_log(service, acknowledged)
        await until(lambda: service.wordyard("replay", "--check").returncode == 0, 60)
        proof = service.wordyard("audit", "--all")
        assert proof.returncode == 0, proof.stdout[-3000:] + proof.stderr[-2000:]


async def check_log(service: Running, acknowledged: Acknowledged) -> None:
    """Every acknowledged guess is in the log exactly once, and the acknowledgement showed what the log says."""
    connection = await bus.connect(Settings(nats_url=NatsServer(service.data / "nats").url), "check")
    log = Log(connection)
    record = msgspec.json.Decoder(Commit[DUEL.events])  # type: ignore[name-defined]
    try:
        for game, answers in acknowledged.items():
            history = [record.decode(entry.data) for entry in await log.load(game)]
            taken = Counter(commit.id for commit in history)
            assert all(taken[name] == 1 for name in answers), game
            assert len(history) == 14
            for number, commit in enumerate(history, 1):
                if commit.id in answers:
                    assert msgspec.json.decode(answers[commit.id])["version"] == number
    finally:
        await connection.close()
