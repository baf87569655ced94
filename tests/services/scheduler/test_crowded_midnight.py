"""A midnight with many open games, most of which no timer of their own wakes in time: play goes on, and is fair."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from msgspec.structs import replace

from libs.core.refusals import Reason
from libs.runtime.clock import Clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings, environment
from services.cli.bench.midnight_games import make
from services.cli.bench.players import WORDS
from services.game.audit import audit_all
from services.game.snapshot import snapshot
from services.scheduler import follow
from services.scheduler.__main__ import schedule
from tests.services.copies import MIDNIGHT, Game, copy
from tests.services.tables import folded, folding
from tests.until import until

GAMES = 300
PLAYED = 8

pytestmark = pytest.mark.usefixtures("postgres_url")


class Shifted:
    """A clock that can be put forward."""

    def __init__(self, start: datetime) -> None:
        self.offset = start - datetime.now(UTC)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.offset

    def of(self, settings: Settings) -> Settings:
        return replace(settings, clock_offset=self.offset.total_seconds())

    async def until(self, moment: datetime) -> None:
        await asyncio.sleep(max(0.0, (moment - self()).total_seconds()))


@asynccontextmanager
async def game_service(settings: Settings, log: Log, now: Clock) -> AsyncIterator[None]:
    """Two copies that answer, and one that folds."""
    migrate(settings.postgres_url)
    async with copy(settings, now), copy(settings, now), folding(log, settings.postgres_url):  # type: ignore[arg-type]
        yield


async def ends(log: Log, since: int) -> dict[str, list[datetime]]:
    """When each game has ended, by the records after this sequence."""
    found: dict[str, list[datetime]] = {}
    last = await log.last_sequence()
    async for records in log.follow(since + 1):
        for record in records:
            for event in msgspec.json.decode(record.data).get("events", ()):
                if event["type"] == "ended":
                    found.setdefault(record.game, []).append(datetime.fromisoformat(event["at"]))
        if records[-1].sequence >= last:
            break
    return found


async def all_ended(log: Log, since: int, games: set[str]) -> bool:
    return await log.last_sequence() > since and games <= set(await ends(log, since))


async def assert_right(log: Log, settings: Settings, since: int, games: set[str]) -> None:
    """Each of the games has ended once, at midnight, by the rules; and the tables say so too."""
    found = await ends(log, since)
    assert {game: found[game] for game in games} == {game: [MIDNIGHT] for game in games}
    await folded(log, settings.postgres_url)
    async with snapshot(settings.postgres_url) as tables:
        report = await audit_all(log, tables, lambda *_: None)
    assert (report.problems, report.rest) == ({}, [])


async def play(game: Game, now: Clock) -> list[tuple[datetime, str | None]]:
    """Guess by turns until refused; answers with the stamp of each guess and the refusal."""
    said: list[tuple[datetime, str | None]] = []
    for turn in range(2 * len(WORDS)):
        by, received = (game.ann, game.bob)[turn % 2], now()
        answer = await game.guess(by, WORDS[turn // 2])
        said.append((received, answer.refused))
        if answer.refused is not None:
            break
        await asyncio.sleep(0.4)
    return said


async def test_all_are_closed_soon_and_every_guess_is_taken_if_it_came_before_midnight(
    settings: Settings, connection: Connection, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "CROWD", 0)
    monkeypatch.setattr(follow, "CROWD_RATE", 0.1)
    now, stop, since = Shifted(MIDNIGHT - timedelta(seconds=15)), asyncio.Event(), await log.last_sequence()
    shifted = now.of(settings)
    async with game_service(shifted, log, now), asyncio.TaskGroup() as group:
        schedulers = [group.create_task(schedule(shifted, stop)) for _ in range(2)]
        played = [await Game(connection, now).started() for _ in range(PLAYED)]  # type: ignore[arg-type]
        games = {*await make(log, GAMES, now, lambda _: None), *(game.id for game in played)}
        await folded(log, settings.postgres_url)
        await now.until(MIDNIGHT - timedelta(seconds=3))
        said = await asyncio.gather(*(play(game, now) for game in played))
        await until(lambda: all_ended(log, since, games), 30)
        stop.set()
        await asyncio.gather(*schedulers)
        await assert_right(log, settings, since, games)
    outcomes = Counter((received < MIDNIGHT, refused) for one in said for received, refused in one)
    assert set(outcomes) == {(True, None), (False, Reason.CLOSED)}
    assert outcomes[False, Reason.CLOSED] == PLAYED


@asynccontextmanager
async def scheduler(settings: Settings) -> AsyncIterator[Process]:
    """A scheduler in a process of its own."""
    variables = {**os.environ, **environment(settings)}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.scheduler"), env=variables, stdout=DEVNULL
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_scheduler_that_was_killed_before_midnight_and_comes_back_five_minutes_later_makes_up_for_it(
    settings: Settings, log: Log
) -> None:
    now, since = Shifted(MIDNIGHT - timedelta(seconds=12)), await log.last_sequence()
    async with game_service(now.of(settings), log, now):
        async with scheduler(now.of(settings)) as killed:
            games = set(await make(log, GAMES, now, lambda _: None))
            await folded(log, settings.postgres_url)
            await now.until(MIDNIGHT - timedelta(seconds=1))
            killed.send_signal(signal.SIGKILL)
            await killed.wait()
        await now.until(MIDNIGHT + timedelta(seconds=4))
        assert await ends(log, since) == {}
        now.offset += timedelta(minutes=5)
        async with scheduler(now.of(settings)):
            await until(lambda: all_ended(log, since, games), 30)
            await assert_right(log, settings, since, games)
