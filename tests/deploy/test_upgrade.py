"""Upgrades under players: releases side by side, back to the old one, and on to one that takes something away."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import psycopg
import pytest

from libs.runtime.settings import environment
from services.cli.cluster import Cluster
from services.cli.cluster.parts import Process, all_of
from services.cli.faults.driver import caught_up
from services.cli.load.ledger import Book, Ledger, Refused
from services.cli.load.play import Load, play
from services.cli.load.verify import Report
from services.cli.reach import the_log
from tests.deploy.releases import Release, adding, saying_more, this_release
from tests.until import until

PLAYERS = 6
FLOWS = 12  # guesses between two steps
WITHIN = 60.0  # seconds for them, on a busy machine
BESIDE = ("scheduler", "solver", "worker")
THINK = 0.2  # seconds of a player before a move: two cores shall have time for new copies
SETTINGS = {
    "WORDYARD_RATE_LIMIT": "false",  # all players have one address
    "WORDYARD_DRAIN_SECONDS": "2.5",
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(durable=False, settings=SETTINGS) as running:
        yield running


@pytest.fixture(scope="module")
def next_release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return adding(tmp_path_factory.mktemp("next"))


@pytest.fixture(scope="module")
def last_release(tmp_path_factory: pytest.TempPathFactory, next_release: Release) -> Release:
    return saying_more(tmp_path_factory.mktemp("last"), next_release)


class Upgrade:
    """The steps of an upgrade of this cluster, with play going on between each two."""

    def __init__(self, cluster: Cluster, load: Load) -> None:
        self.cluster = cluster
        self._load = load

    async def step(self, *steps: Callable[[], None]) -> None:
        """Do these at once, and see that guesses flow after it."""
        await asyncio.to_thread(all_of, steps)
        await self._load.more(FLOWS, WITHIN)

    async def restart(self, release: Release | None, *names: str) -> None:
        """Restart these copies with a release; none: with the one that is checked out here."""
        if release is None:
            this_release(self.cluster, *names)
        else:
            release.take_over(self.cluster, *names)
        await self.step(*(lambda name=name: self.cluster.restart(name) for name in names))

    async def everywhere(self, release: Release, *services: str) -> None:
        """Restart both copies of each of these, one after the other; the others meanwhile."""
        for service in services:
            for copy in (1, 2):
                await self.restart(release, f"{service}-{copy}")

    async def beside(self, release: Release) -> None:
        """The same for those that nobody asks for a game, all of them at a time."""
        for copy in (1, 2):
            await self.restart(release, *(f"{service}-{copy}" for service in BESIDE))


def said(cluster: Cluster, name: str, event: str) -> bool:
    """Has this process written such a log line?"""
    return f'"{event}"' in cluster.processes[name].log_file.read_text()


def columns(cluster: Cluster) -> set[str]:
    with psycopg.connect(cluster.postgres_dsn) as connection:
        found = connection.execute("select column_name from information_schema.columns where table_name = 'players'")
        return {name for (name,) in found}


def verified(cluster: Cluster, ledger: Path, release: Release) -> Report:
    """What a release's own verifier finds."""
    command = [sys.executable, "-m", "services.cli", "load", "verify", str(ledger), "--json"]
    variables = {**os.environ, **environment(cluster.settings()), **release.variables}
    done = subprocess.run(command, env=variables, capture_output=True, timeout=120, check=False)
    assert done.stdout, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Report)


async def started_too_early(cluster: Cluster, release: Release, name: str) -> None:
    """A copy on tables that lack what it needs is not ready, and says why."""
    await asyncio.to_thread(cluster.stop, name)
    release.take_over(cluster, name)
    process = cluster.processes[name]
    assert isinstance(process, Process)
    process.launch()
    await until(lambda: said(cluster, name, "tables.older"), 30)
    assert process.running
    assert not process.is_ready()


@pytest.mark.timeout(900)  # a minute and a half where nothing else runs
async def test_releases_follow_each_other_and_nothing_is_lost(
    cluster: Cluster, next_release: Release, last_release: Release, tmp_path: Path
) -> None:
    file = tmp_path / "ledger.jsonl"
    with Ledger(file) as ledger:
        async with play(cluster.address, PLAYERS, ledger, think=THINK) as load:
            upgrade = Upgrade(cluster, load)
            await load.more(FLOWS, WITHIN)

            # what adds comes first, under the old release; a new copy waits for it
            await started_too_early(cluster, next_release, "game-2")
            await upgrade.step(lambda: cluster.prepare(more=next_release.variables))
            await upgrade.step(lambda: cluster.start("game-2"))
            assert "mood" in columns(cluster)

            # back: the old release works on the newer tables, and says so
            await upgrade.restart(None, "game-2")
            await upgrade.restart(None, "api-2")
            assert said(cluster, "game-2", "tables.newer")
            assert said(cluster, "api-2", "tables.newer")

            # on: the game first; what nobody asks for a game may stay behind
            await upgrade.everywhere(next_release, "game", "api")

            # the one after it says what the one before cannot read: the api first
            await upgrade.step(lambda: cluster.prepare(more=last_release.variables))
            await upgrade.everywhere(last_release, "api")
            await upgrade.restart(last_release, "game-1")
            await until(lambda: said(cluster, "game-2", "projection.stands_back"), 30)
            await upgrade.restart(last_release, "game-2")
            await upgrade.beside(last_release)

            # what nobody needs any more goes last
            assert "mood" in columns(cluster)
            await upgrade.step(lambda: cluster.prepare("--contract", more=last_release.variables))
            assert "mood" not in columns(cluster)

    async with the_log(cluster.settings(), "test") as log:
        await caught_up(log, cluster.postgres_dsn)
        newest = await log.last_sequence()
    report = await asyncio.to_thread(verified, cluster, file, last_release)
    assert report.problems == []
    assert report.unchecked == []
    assert report.acknowledged > 10 * FLOWS
    assert newest > report.acknowledged
    entries = [entry for _, page in Book(file).pages() for entry in page]
    failed = {entry.code for entry in entries if isinstance(entry, Refused) and not 400 <= entry.status < 500}
    assert failed <= {"try_again"}
    with psycopg.connect(cluster.postgres_dsn) as connection:
        assert connection.execute("select * from parked").fetchall() == []

    # and no way back beyond it: an old copy says that what it needs is gone
    this_release(cluster, "game-1", "api-1")
    process = cluster.processes["api-1"]
    assert isinstance(process, Process)
    await asyncio.to_thread(cluster.stop, "api-1")
    process.launch()
    await until(lambda: said(cluster, "api-1", "tables.gone"), 30)
    assert not process.is_ready()
