"""Two game services as processes, killed in turn while players play."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle

import httpx
import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from libs.core import calls
from libs.core.calls import Do, Person
from libs.runtime import bus, ids, postgres
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.embedded.ports import free_port
from libs.runtime.log import Log
from libs.runtime.settings import Settings, environment
from services.game.audit import audit_all
from services.game.snapshot import snapshot
from tests.services.copies import commands
from tests.services.tables import folded
from tests.until import until

GAMES = 12
WORDS = ("abbey", "abbot", "about", "above", "abuse", "banal")

now = clock()


class Copy:
    """A game service in a process of its own."""

    def __init__(self, settings: Settings) -> None:
        self._port = free_port()
        self._settings = replace(settings, ops_port=self._port)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "services.game"],
            env={**os.environ, **environment(self._settings)},
            stdout=subprocess.DEVNULL,
        )

    async def ready(self) -> None:
        async def answers() -> bool:
            async with httpx.AsyncClient(trust_env=False) as client:
                try:
                    answer = await client.get(f"http://127.0.0.1:{self._port}/health/ready")
                except httpx.TransportError:
                    return False
                return answer.status_code == 200

        await until(answers, 30)

    def end(self, number: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait(20)


@contextmanager
def started(settings: Settings, count: int) -> Iterator[list[Copy]]:
    copies = [Copy(settings) for _ in range(count)]
    with ExitStack() as closing:
        for one in copies:
            one.start()
            closing.callback(one.end, signal.SIGKILL)
        yield copies


@pytest.fixture
async def copies(settings: Settings, connection: Connection, postgres_url: str) -> AsyncIterator[list[Copy]]:
    postgres.migrate(postgres_url, ["services.game.tables"])
    with started(settings, 2) as both:
        for one in both:
            await one.ready()
        yield both


async def do(connection: Connection, played: str, by: str, kind: str | None = None, **command: str) -> str:
    """Ask until there is an outcome, with the same key; answers with the command's id."""
    call = Do(
        game=played, by=Person(id=by), key=ids.new_id(), received=now(), command=Raw(json.encode(command)), kind=kind
    )
    while True:
        try:
            answer = await bus.ask(connection, call)
        except bus.Unavailable:
            continue
        if answer.refused != calls.TRY_AGAIN:
            assert answer.refused is None, answer.refused
            return f"{by}:{call.key}"
        await asyncio.sleep(0.05)


async def play(connection: Connection) -> tuple[str, list[str]]:
    """A whole game; answers with the ids of the commands that were acknowledged."""
    game, ann, bob = ids.new_id(), ids.new_id(), ids.new_id()
    taken = [await do(connection, game, ann, "duel", type="open", game=game, secret="crepe", rival=bob)]
    taken.append(await do(connection, game, bob, type="secret", secret="banal"))
    for word in WORDS:
        taken += await asyncio.gather(*(do(connection, game, player, type="guess", word=word) for player in (ann, bob)))
    return game, taken


async def test_a_service_ends_in_order_when_it_is_told_to(copies: list[Copy]) -> None:
    assert copies[0].end(signal.SIGTERM) == 0


@pytest.mark.faults
async def test_killed_in_turn_they_lose_no_acknowledged_command_and_double_none(
    copies: list[Copy], connection: Connection, log: Log, postgres_url: str
) -> None:
    async def kill() -> None:
        for one in cycle(copies):
            one.end(signal.SIGKILL)
            one.start()
            await one.ready()

    killing = asyncio.create_task(kill())
    played = await asyncio.gather(*(play(connection) for _ in range(GAMES)))
    played += await asyncio.gather(*(play(connection) for _ in range(GAMES)))
    killing.cancel()
    await asyncio.gather(killing, return_exceptions=True)
    for game, acknowledged in played:
        assert sorted(await commands(log, game)) == sorted(acknowledged)
    await folded(log, postgres_url)
    async with snapshot(postgres_url) as tables:
        report = await audit_all(log, tables, lambda *_: None)
    assert (report.problems, report.rest, report.games) == ({}, [], 2 * GAMES)
