"""Tries faults, one after the other, on one cluster."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import psycopg
from msgspec import Struct, field

from libs.runtime.log import Log, Unread
from services.cli.cluster import Cluster
from services.cli.faults.fault import Fault, Stage
from services.cli.faults.watched import Watched
from services.cli.load.play import play
from services.cli.load.verify import Report, verify
from services.cli.reach import the_log
from services.game.projections import PROJECTIONS

SETTINGS = {"WORDYARD_RATE_LIMIT": "false"}  # all players have one address

WARM = 2  # guesses of each player before the fault, on average
AGAIN = 4  # and after it
WITHIN = 90.0  # seconds for them
ENDS_WITHIN = 240.0  # seconds for a fault to be put right, its own time not counted
SETTLED = 60.0  # seconds for all that was begun to be known
CAUGHT_UP = 60.0  # seconds for the tables to be where the log is
LOOK = 0.1  # seconds between two looks at them

ALL = "all together"
"""What the comparison at the end is called in place of a fault."""


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of one fault."""

    fault: str
    guesses: int  # acknowledged
    seconds: float = 0.0  # that it lasted, until all was put right
    recovery: float = 0.0  # the longest time in which guesses waited and none was acknowledged, in seconds
    longest_wait: float = 0.0  # of one player for one guess, in seconds
    verified: Report
    problems: list[str] = field(default_factory=list)


class Suite:
    """A cluster and its players. Ledgers are kept in `folder`, one for each fault."""

    def __init__(self, cluster: Cluster, folder: Path, *, players: int, seconds: float, chance: random.Random) -> None:
        self._cluster = cluster
        self._folder = folder
        self._players = players
        self._seconds = seconds
        self._chance = chance
        self._tried = 0
        self._guesses = 0

    async def each(self, faults: Iterable[Fault]) -> AsyncIterator[Outcome]:
        """Try these in turn."""
        for fault in faults:
            yield await self.one(fault)

    async def one(self, fault: Fault) -> Outcome:
        """Try this one; whatever is found is in the answer."""
        self._tried += 1
        file = self._folder / f"{self._tried:03}-{fault.name}.jsonl"
        problems: list[str] = []
        lasted = recovery = waited = 0.0
        step = "guesses flow before the fault"
        with Watched(file) as ledger, TemporaryDirectory(dir=self._folder) as folder:
            try:
                async with play(self._cluster.address, self._players, ledger, patience=SETTLED) as load:
                    await load.more(WARM * self._players, WITHIN)
                    began, step = time.monotonic(), "the fault is ended"
                    async with asyncio.timeout(self._seconds + ENDS_WITHIN):
                        await fault.act(Stage(self._cluster, load, ledger, self._seconds, self._chance, Path(folder)))
                    lasted, step = time.monotonic() - began, "guesses flow after the fault"
                    await load.more(AGAIN * self._players, WITHIN)
                    recovery, step = ledger.longest_gap(began), "all that was begun is known"
                waited = load.recovery.longest_wait
            except TimeoutError:
                problems.append(f"not in time: {step}")
            except Exception as error:  # whatever the fault or a player has met is one more thing that was found
                problems.append(f"{type(error).__name__}: {error}")
        if problems:
            await asyncio.to_thread(self._put_right)
        self._guesses += ledger.guesses
        verified = await self._verify(file, problems)
        return Outcome(
            fault=fault.name,
            seconds=lasted,
            recovery=recovery,
            longest_wait=waited,
            guesses=ledger.guesses,
            verified=verified,
            problems=problems,
        )

    async def once_more(self) -> Outcome:
        """Compare all ledgers together: what one fault left right, a later one may have harmed."""
        whole, problems = self._folder / "all.jsonl", list[str]()
        with whole.open("wb") as joined:
            for ledger in sorted(self._folder.glob("[0-9]*.jsonl")):
                joined.write(ledger.read_bytes())
        verified = await self._verify(whole, problems)
        return Outcome(fault=ALL, guesses=self._guesses, verified=verified, problems=problems)

    def _put_right(self) -> None:
        """Let everything run, whatever a fault that went wrong has left. Raises `StartFailed`."""
        for part in self._cluster.processes.values():
            part.resume()
            part.start()

    async def _verify(self, ledger: Path, problems: list[str]) -> Report:
        report = Report()
        try:
            async with the_log(self._cluster.settings(), "faults") as log:
                await caught_up(log, self._cluster.postgres_dsn)
                report = await verify(ledger, log, self._cluster.postgres_dsn)
        except TimeoutError:
            problems.append(f"the tables were not where the log is after {CAUGHT_UP:g} s")
        except (Unread, click.ClickException) as error:
            problems.append(f"nothing could be verified: {error}")
        problems += report.problems
        return report


async def caught_up(log: Log, postgres_url: str) -> None:
    """Wait until everything in the log is folded. Raises `TimeoutError`."""
    async with asyncio.timeout(CAUGHT_UP):
        while True:
            if await _is_caught_up(log, postgres_url):
                return
            await asyncio.sleep(LOOK)


async def _is_caught_up(log: Log, postgres_url: str) -> bool:
    end = await log.last_sequence()
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True, connect_timeout=2) as connection:
        cursor = await connection.execute(
            "select count(*) from positions where seq >= %s and name = any(%s)", (end, list(PROJECTIONS))
        )
        return await cursor.fetchone() == (len(PROJECTIONS),)
