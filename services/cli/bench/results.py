"""A day of the Daily with very many results: how fast they are folded, and how soon one is told how one stands.

The records are made here and folded without a broker; PostgreSQL is a real one, in a folder of its own.
"""

import random
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from psycopg import AsyncConnection

from libs.core import subjects
from libs.core.calendar import begin_of, close_of
from libs.core.daily import attempt_id
from libs.core.games.daily.events import Begun, DailyEvent, Ended, Guessed
from libs.core.games.guesses import GUESSES
from libs.core.messages import Commit
from libs.runtime import postgres
from libs.runtime.embedded import Postgres
from libs.runtime.log import Record
from services.api.daily_standing import Entry, board, placed, snapshot, standing, totals
from services.cli.bench import figures
from services.cli.bench.figures import Figure, percentile
from services.game.folding import fold
from services.game.projections.daily import Daily

DAY = date(2026, 3, 7)
BATCH = 500
PAGE = 100
LOOKS = 300
WORD, WRONG = "quote", "slate"

Progress: TypeAlias = Callable[[int], None]
"""Told how many records are folded."""

_encoder = msgspec.json.Encoder()


class Attempts:
    """Attempts like those of players: most need four guesses and some minutes, half are guests, some fail."""

    def __init__(self) -> None:
        self._draw = random.Random(7)  # noqa: S311 - the same ones in every run
        self.events = 0

    def records(self, count: int) -> Iterator[Record]:
        """The records of so many attempts, one attempt after the other."""
        sequence = 0
        for number in range(count):
            for record in self._attempt(number):
                sequence += 1
                yield msgspec.structs.replace(record, sequence=sequence)

    def _attempt(self, number: int) -> Iterator[Record]:
        draw = self._draw
        player, guest = f"00000000-0000-7000-8000-{number:012x}", draw.random() < 0.5
        game, solved = attempt_id(player, DAY), draw.random() < 0.96
        guesses = draw.choices(range(1, GUESSES + 1), (1, 8, 25, 35, 22, 9))[0] if solved else GUESSES
        at = begin_of(DAY) + timedelta(seconds=draw.uniform(0, 80_000))
        origin = f"{draw.randrange(10**12):016x}" if guest else ""
        began = at
        for place in range(1, guesses + 1):
            events: list[DailyEvent] = []
            if place == 1:
                events.append(self._begun(at, game, player, guest, origin))
            else:
                at += timedelta(seconds=draw.lognormvariate(3.5, 0.8))
            last = place == guesses
            word, marks = (WORD, "CCCCC") if last and solved else (WRONG, "IIIIR")
            events.append(Guessed(at=at, by=player, word=word, marks=marks, number=place))
            if last:
                elapsed = (at - began) // timedelta(microseconds=1) if solved else None
                events.append(
                    Ended(
                        at=at,
                        day=DAY,
                        player=player,
                        guest=guest,
                        origin=origin,
                        solved=solved,
                        guesses=guesses,
                        elapsed_us=elapsed,
                    )
                )
            self.events += len(events)
            commit = Commit(id=f"{player}:{place}", by=player, digest="0" * 32, at=at, events=events)
            yield Record(0, subjects.game("daily", game), _encoder.encode(commit), at)

    def _begun(self, at: datetime, game: str, player: str, guest: bool, origin: str) -> Begun:
        return Begun(
            at=at,
            game=game,
            day=DAY,
            player=player,
            guest=guest,
            origin=origin,
            words="55b48d48",
            word=WORD,
            commitment="0" * 64,
            closes_at=close_of(DAY),
        )


async def measure(count: int, progress: Progress) -> Sequence[Figure]:
    """Fold so many results of one day, then look at them as players do."""
    async with _database() as connection:
        attempts = Attempts()
        seconds, own = await _fold(connection, attempts, count, progress)
        stands, pages = await _look(connection)
    return [
        figures.plain("results of one day", count, ""),
        figures.at_least("fold into results and statistics", attempts.events / seconds, "events/s", 10_000),
        figures.plain("  in a second of the fold's own time", attempts.events / own, "events/s"),
        figures.plain("  results", count / seconds, "/s"),
        figures.plain("distribution, percentile and place, p50", percentile(stands, 0.5) * 1e3, "ms"),
        figures.plain("  the slowest", stands[-1] * 1e3, "ms"),
        figures.plain("a page of the leaderboard with its places, p50", percentile(pages, 0.5) * 1e3, "ms"),
        figures.plain("  the slowest", pages[-1] * 1e3, "ms"),
        figures.at_most("both together, the slowest", (stands[-1] + pages[-1]) * 1e3, "ms", 50),
    ]


@asynccontextmanager
async def _database() -> AsyncIterator[AsyncConnection[Any]]:
    folder = Path(tempfile.mkdtemp(prefix="wy-bench-"))
    server = Postgres(folder / "postgres")
    try:
        server.start()
        postgres.migrate(server.url)
        async with await AsyncConnection.connect(server.url, autocommit=True) as connection:
            await connection.execute("insert into positions values ('daily', 0)")
            yield connection
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


async def _fold(
    connection: AsyncConnection[Any], attempts: Attempts, count: int, progress: Progress
) -> tuple[float, float]:
    """Seconds that folding takes, and how many of them this process works; making the records does not count."""
    spent, own, batch = 0.0, 0.0, list[Record]()

    async def take() -> None:
        nonlocal spent, own
        begin, begin_own = time.perf_counter(), time.process_time()
        await fold(connection, Daily, batch, batch[0].sequence - 1)
        spent, own = spent + time.perf_counter() - begin, own + time.process_time() - begin_own
        batch.clear()

    for record in attempts.records(count):
        batch.append(record)
        if len(batch) == BATCH:
            await take()
            progress(record.sequence)
    if batch:
        await take()
    return spent, own


async def _look(connection: AsyncConnection[Any]) -> tuple[list[float], list[float]]:
    """Sorted seconds of how one stands, and of a page, for players and pages from all over the day."""
    draw, stands, pages = random.Random(7), list[float](), list[float]()  # noqa: S311
    for _ in range(LOOKS):
        entry = Entry("", draw.randint(2, GUESSES), draw.randrange(600_000), begin_of(DAY), attempt_id("", DAY))
        begin = time.perf_counter()
        async with connection.transaction():
            await snapshot(connection)
            counted = await totals(connection, DAY)
            await standing(connection, counted, entry.guesses, entry.elapsed_ms)
        middle = time.perf_counter()
        async with connection.transaction():
            await snapshot(connection)
            found = await board(connection, DAY, entry, PAGE)
            await placed(connection, await totals(connection, DAY), found)
        stands.append(middle - begin)
        pages.append(time.perf_counter() - middle)
    return sorted(stands), sorted(pages)
