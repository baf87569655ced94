"""A log of very many games before and after they have moved to the archive: memory, restart, disk, and the way there.

The games are written by us, as fast as the server takes them; NATS and PostgreSQL are real, in a folder of their own.
"""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

import msgspec
import psutil
from msgspec import Struct
from psycopg import AsyncConnection

from libs.core import subjects
from libs.core.games.duel import DUEL
from libs.core.games.duel.commands import Guess, Open, SetSecret
from libs.core.messages import Asker, Command, Commit
from libs.runtime import bus, postgres
from libs.runtime.archive import Archive
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.direct import EXPECTED
from libs.runtime.embedded import NatsServer, Postgres
from libs.runtime.log import ensure_streams
from libs.runtime.settings import Settings
from services.cli.bench import figures
from services.cli.bench.figures import Figure
from services.game.archive import forget, keep
from services.game.claims import Claim
from services.game.projections import PROJECTIONS

NOON = datetime(2026, 1, 15, 17, tzinfo=UTC)
LATER = NOON + timedelta(days=9)
TOGETHER = 1000  # games whose records alternate, as those of a day do
ACKNOWLEDGED = 500
"""One of so many records is acknowledged, and with it those before it;"""
WINDOW = 8  # of these may be under way.
PATIENCE = 600.0  # seconds for a server that has very much to read
BATCH = 256  # games that move at a time
ANN, BOB, GAME = ("00000000-0000-7000-8000-00000000000" + digit for digit in "abc")
WORDS = "crepe", "banal"
GUESSES = ((ANN, "allot"), (BOB, "abbey"), (ANN, "canal"), (BOB, "crane"), (ANN, "banal"), (BOB, "crepe"))

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_encode = msgspec.json.Encoder().encode


class Line(Struct, frozen=True):
    """A record of the game after which all others are made; `claim` is the key of a claim, empty for the game's own."""

    data: bytes
    claim: str = ""


class Held(Struct, frozen=True, kw_only=True):
    """What a log costs."""

    restart: float  # seconds
    megabytes: float  # of memory, after the restart
    disk: float  # megabytes


def lines() -> Sequence[Line]:
    """The records of a rivals' duel, its claims before the record that claims, as the service stores them."""
    state, made = DUEL.start, list[Line]()
    steps: list[tuple[str, Command]] = [
        (ANN, Open(game=GAME, secret=WORDS[0], rival=BOB)),
        (BOB, SetSecret(secret=WORDS[1])),
        *((player, Guess(word=word)) for player, word in GUESSES),
    ]
    for number, (player, command) in enumerate(steps):
        events = DUEL.decide(state, command, Asker(by=player, seed=bytes(32)), NOON + timedelta(minutes=number))
        state = DUEL.apply(state, events)
        commit = Commit(
            id=f"{player}:{number}", by=player, digest="0" * 32, at=NOON + timedelta(minutes=number), events=events
        )
        keys = [key for event in events for key in DUEL.claims(event)]
        if number == 0:
            keys.append(f"key:{commit.id}")
        made += [Line(_encode(Claim(game=GAME, kind=DUEL.kind)), key) for key in keys]
        made.append(Line(_encode(msgspec.structs.replace(commit, due=DUEL.standing(state).due))))
    return made


async def measure(count: int, sample: int, progress: Progress) -> Sequence[Figure]:
    """Write so many games, restart, move them, restart again.

    Those beyond the `sample` leave the stream at one stroke, without an archive: the same for NATS, and soon done.
    """
    folder = Path(tempfile.mkdtemp(prefix="wy-bench-"))
    nats, tables = NatsServer(folder / "nats", sync="lazy", patience=PATIENCE), Postgres(folder / "postgres")
    try:
        await asyncio.to_thread(nats.start)
        await asyncio.to_thread(tables.start)
        postgres.migrate(tables.url)
        settings = Settings(nats_url=nats.url, postgres_url=tables.url)
        async with _connected(settings) as log:
            began = time.perf_counter()
            records = await _fill(log, count, progress)
            filled = time.perf_counter() - began
        before = await asyncio.to_thread(_restart, nats)
        async with _connected(settings) as log:
            kept, forgotten = await _move(log, settings, sample, records, progress)
            grown = await _size(settings)
            if sample < count:
                await log.drop_all()
        after = await asyncio.to_thread(_restart, nats)
        async with _connected(settings) as log:
            looked = await _look(log, sample)
    finally:
        nats.stop()
        tables.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return [
        figures.plain("games", count, ""),
        figures.plain("records, claims included", records, ""),
        figures.plain("  written", records / filled, "/s"),
        figures.plain("restart of nats-server before", before.restart, "s"),
        figures.plain("restart of nats-server after", after.restart, "s"),
        figures.plain("its memory before", before.megabytes, "MB"),
        figures.plain("its memory after", after.megabytes, "MB"),
        figures.plain("its disk before", before.disk, "MB"),
        figures.plain("its disk after", after.disk, "MB"),
        figures.plain("the archive in PostgreSQL, of a million games", grown / sample * 1e6, "MB"),
        figures.plain("games written into the archive and read back", sample / kept, "/s"),
        figures.plain("games taken out of the stream", sample / forgotten, "/s"),
        figures.plain("both steps, without a pause", sample / (kept + forgotten), "/s"),
        figures.plain("an archived game is read, p50", figures.percentile(looked, 0.5) * 1e3, "ms"),
        figures.plain("  p99", figures.percentile(looked, 0.99) * 1e3, "ms"),
    ]


class _Poured(ArchivedLog):
    """A log that is written without being asked back each time."""

    async def pour(self, records: Iterator[tuple[str, bytes, int]], told: Callable[[int], None]) -> int:
        """Store records, each of a subject and after a sequence; answers with how many there were."""
        wire, room, done = self._connection, asyncio.Semaphore(WINDOW), 0
        inbox = wire.new_inbox()
        listening = await wire.listen(inbox, lambda _: room.release())
        for subject, data, after in records:
            done += 1
            last = done % ACKNOWLEDGED == 0
            if last:
                told(done)
                await room.acquire()
            await wire.publish(subject, data, inbox if last else "", {EXPECTED: str(after)})
        for _ in range(WINDOW):
            async with asyncio.timeout(60):
                await room.acquire()
        await listening.unsubscribe()
        await until_stored(self, done)
        return done

    async def drop_all(self) -> None:
        """Take every game and claim out of the stream that is left in it."""
        for subject in (subjects.game(DUEL.kind, "*"), subjects.game(subjects.CLAIM, "*")):
            body = msgspec.json.encode({"filter": subject})
            await self._connection.request(f"$JS.API.STREAM.PURGE.{subjects.GAMES}", body, timeout=600)


@asynccontextmanager
async def _connected(settings: Settings) -> AsyncIterator[_Poured]:
    connection = await bus.connect(settings, "bench")
    try:
        await ensure_streams(connection, 1)
        async with postgres.pool(settings, most=2) as pool:
            yield _Poured(connection, Archive(pool))
    finally:
        await connection.close()


async def until_stored(log: ArchivedLog, count: int) -> None:
    """Wait until the stream has so many records. Raises `TimeoutError` if it does not get them."""
    async with asyncio.timeout(60), aclosing(log.follow(count)) as arriving:
        await anext(arriving)


def _id(number: int, whose: str) -> str:
    return f"00000000-0000-7000-8000-{number:011x}{whose}"


def _records(count: int) -> Iterator[tuple[str, bytes, int]]:
    """Subject, data and the sequence before it in its game, of all records of so many games."""
    model, sequence = lines(), 0
    for first in range(0, count, TOGETHER):
        newest = dict[int, int]()
        for line in model:
            for number in range(first, min(first + TOGETHER, count)):
                ids = {old: _id(number, old[-1]) for old in (ANN, BOB, GAME)}
                key, data, sequence = line.claim, line.data, sequence + 1
                for old, new in ids.items():
                    key, data = key.replace(old, new), data.replace(old.encode(), new.encode())
                if key:
                    yield subjects.claim(key), data, 0
                else:
                    yield subjects.game(DUEL.kind, ids[GAME]), data, newest.get(number, 0)
                    newest[number] = sequence


async def _fill(log: _Poured, count: int, progress: Progress) -> int:
    total = count * len(lines())
    records = await log.pour(_records(count), lambda done: progress("written", done, total))
    await log.append(subjects.game("person", _id(0, "f")), b"{}", 0, "newest")  # which never leaves
    return records


def _restart(server: NatsServer) -> Held:
    server.stop()
    began = time.perf_counter()
    server.start()
    took = time.perf_counter() - began
    disk = sum(file.stat().st_size for file in server.store.rglob("*") if file.is_file())
    return Held(restart=took, megabytes=psutil.Process(server.pid).memory_info().rss / 1e6, disk=disk / 1e6)


async def _move(
    log: ArchivedLog, settings: Settings, count: int, records: int, progress: Progress
) -> tuple[float, float]:
    """Seconds that both steps take, one after the other for each batch."""
    kept = forgotten = 0.0
    async with await AsyncConnection.connect(settings.postgres_url, autocommit=True) as connection:
        for name in PROJECTIONS:
            await connection.execute("insert into positions values (%s, %s)", (name, records + 1))
        for first in range(0, count, BATCH):
            games = [str(UUID(_id(number, GAME[-1]))) for number in range(first, min(first + BATCH, count))]
            began = time.perf_counter()
            moved = await keep(log, connection, games, LATER)
            middle = time.perf_counter()
            gone = await forget(log, connection, timedelta(), BATCH)
            kept, forgotten = kept + middle - began, forgotten + time.perf_counter() - middle
            if stay := {**moved.stay, **gone.stay}:
                raise RuntimeError(f"{len(stay)} games were not moved: {next(iter(stay.items()))}")
            progress("moved", first + len(games), count)
    return kept, forgotten


async def _size(settings: Settings) -> float:
    async with await AsyncConnection.connect(settings.postgres_url, autocommit=True) as connection:
        cursor = await connection.execute(
            "select pg_total_relation_size('archive.games') + pg_total_relation_size('archive.claims')"
        )
        row = await cursor.fetchone()
        return float(row[0]) / 1e6 if row else 0.0


async def _look(log: ArchivedLog, count: int) -> list[float]:
    """Sorted seconds that reading an archived game takes."""
    times = []
    for place in range(1000):
        began = time.perf_counter()
        if not await log.load(_id(place * count // 1000, GAME[-1])):
            raise RuntimeError("a game is in neither place")
        times.append(time.perf_counter() - began)
    return sorted(times)
