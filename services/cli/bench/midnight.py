"""A midnight with very many open games: how soon all of them are closed, and what players notice of it.

The games are written into the log directly; then the service folds them, sets their timers and prepares itself as it
would over a day. Some pairs play on across midnight through the whole service.
"""

import asyncio
import math
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

import httpx
import msgspec
from msgspec import Struct

from libs.core import subjects
from libs.core.calendar import close_of, eastern_day
from libs.core.messages import GameId
from libs.runtime import bus
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.parent import PARENT
from libs.runtime.settings import Settings, read
from libs.runtime.web import authorities
from services.cli.bench import figures
from services.cli.bench.figures import Figure, percentile
from services.cli.bench.midnight_games import KIND, make
from services.cli.bench.midnight_play import MADE, Play, unfair
from services.cli.bench.players import Pair
from services.cli.bench.service import Service, folded, started, verified
from services.cli.bench.spent import Part, Spent
from services.scheduler.follow import GRACE

SETTLE = 60.0  # seconds before midnight for a service that has nothing to do
EACH = 0.0065  # seconds more for each game: to be made, folded, timed and prepared
BEFORE = 15.0  # seconds of play before midnight
ENTERING = 5.0  # seconds for those who play to come in: a connection on which nothing is said is closed after a while
AFTER = 10.0  # seconds of play after the last closing
PAIRS, RATE = 20, 100.0  # who plays, and how many calls a second they make together
LATEST = 600.0  # seconds after which no closing is waited for any more
MOST = 9  # parts whose work is told
TOLD = 10  # complaints that are shown
LOOK = 1.0  # seconds between two looks at how many are closed
PREPARED = "wordyard_games_prepared_total"
CLOSED = 'wordyard_commands_total{command="wake",kind="duel",outcome="stored"}'
KILLED = 1.0  # seconds before midnight at which the scheduler is killed

Say: TypeAlias = Callable[[str], None]
"""Tells what is going on."""


class Event(Struct):
    """What we read of an event."""

    type: str
    at: datetime
    closes_at: datetime | None = None


class Commit(Struct):
    """What we read of a record."""

    events: Sequence[Event]


_commit = msgspec.json.Decoder(Commit).decode


async def measure(games: int, sync: str, say: Say, down: float = 0.0) -> Sequence[Figure]:
    """Let midnight come over so many open games.

    With `down`, the scheduler is killed a second before and started so many seconds after it.
    """
    lead = SETTLE + EACH * games
    midnight = close_of(eastern_day(clock()()))
    options = ["--now", (midnight - timedelta(seconds=lead)).isoformat(), *(["--without", "scheduler"] if down else [])]
    async with started(sync, more=options) as service:
        environment = service.of("services.game").environ()
        settings = read(environment)
        connection = await bus.connect(settings, "bench")
        scheduler = Scheduler(environment)
        try:
            if down:
                await scheduler.start()
            async with httpx.AsyncClient(trust_env=False, verify=authorities()) as client:
                return await Midnight(service, settings, connection, client, midnight, say).run(games, scheduler, down)
        finally:
            await scheduler.stop()
            await connection.close()


class Scheduler:
    """A scheduler of our own, to be killed."""

    def __init__(self, environment: dict[str, str]) -> None:
        own = {name: value for name, value in environment.items() if name not in (PARENT, "WORDYARD_DAILY_KEY")}
        self._environment = {**own, "WORDYARD_OPS_PORT": "0"}
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it."""
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "services.scheduler"), env=self._environment, stdout=asyncio.subprocess.DEVNULL
        )

    async def kill(self) -> None:
        """End it without any warning."""
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        """End it, if it runs."""
        await self._end(signal.SIGTERM)

    async def _end(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)
            await self._process.wait()


class Midnight:
    """One midnight of a service."""

    def __init__(
        self,
        service: Service,
        settings: Settings,
        connection: Connection,
        client: httpx.AsyncClient,
        midnight: datetime,
        say: Say,
    ) -> None:
        self._service = service
        self._settings = settings
        self._connection = connection
        self._log = Log(connection)
        self._now = clock(settings.offset)
        self._midnight = midnight
        self._say = say
        # looking for processes holds up the players, who are in this one
        self._metrics = f"http://127.0.0.1:{service.of('services.game').environ()['WORDYARD_OPS_PORT']}/metrics"
        self._client = client

    async def run(self, count: int, scheduler: Scheduler, down: float) -> Sequence[Figure]:
        """Make games, play, let midnight come, and look at what has become of them."""
        games = await self._made(count)
        prepared = await self._ready(count)
        await self._until(-BEFORE - ENTERING)
        pairs = [Pair(self._service.address, f"midnight-{number}") for number in range(PAIRS)]
        for pair in pairs:
            await pair.enter()
        await self._until(-BEFORE)
        parts = Part.all_of(self._service)
        self._say("players go on across midnight")
        play = Play(pairs, RATE, self._now)
        playing = asyncio.create_task(play.run())
        closing = asyncio.create_task(self._closing(count, down, parts))
        if down:
            await self._until(-KILLED)
            await scheduler.kill()
            await self._until(down)
            await scheduler.start()
        spent = await closing
        self._say("folds catch up")
        behind = await self._folded()
        await asyncio.sleep(AFTER)
        play.stop()
        await playing
        for pair in pairs:
            await pair.leave()
        self._say("the log and the tables are verified")
        ends, late = await self._walk(games)  # only now: whoever reads along slows the closing down
        found = [*prepared, *self._figures(sorted(times[-1] for times in ends.values()), count, play, down), behind]
        found += [figures.plain(f"worked meanwhile a game: {name}", 1e6 * took / count, "us") for name, took in spent]
        return [*found, *await self._verified(sum(len(ends.get(game, ())) != 1 for game in games), late, play)]

    async def _made(self, count: int) -> set[GameId]:
        self._say(f"{count:,} games are made")
        began = time.perf_counter()
        games = set(await make(self._log, count, self._now, lambda _: None))
        self._say(f"made in {time.perf_counter() - began:.0f} s")
        return games

    async def _ready(self, count: int) -> Sequence[Figure]:
        """Wait until the games are folded, timed and read, or until it is time to play."""
        found = []
        for what, look, wanted in (
            ("folded", partial(folded, self._settings), await self._log.last_sequence()),
            ("timed", self._timers, count),
            ("prepared", partial(self._count, PREPARED), count),
        ):
            while (done := await look()) < wanted and self._left() > BEFORE:  # noqa: ASYNC110 - of other processes
                await asyncio.sleep(1)
            self._say(f"{what}: {done:,} of {wanted:,}, {self._left():.0f} s before midnight")
            found.append(figures.plain(f"{what} before midnight", min(1.0, done / wanted) * 100, "%"))
        return found

    async def _timers(self) -> int:
        info = await self._connection.jetstream().stream_info(subjects.TIMERS)
        return info.state.messages

    async def _count(self, name: str) -> int:
        """What the game service has counted under this name, which may have labels."""
        text = (await self._client.get(self._metrics)).text
        return sum(int(float(line.split()[1])) for line in text.splitlines() if line.startswith(name))

    def _left(self) -> float:
        return (self._midnight - self._now()).total_seconds()

    async def _until(self, after: float) -> None:
        """Wait until so many seconds after midnight."""
        await asyncio.sleep(max(0.0, self._left() + after))

    async def _closing(self, count: int, down: float, parts: Sequence[Part]) -> Sequence[tuple[str, float]]:
        """Wait until so many games are closed, or for too long; answers with what each part has worked for that.

        Players' games are counted too, so the last few of ours may still be open.
        """
        await self._until(down or GRACE.total_seconds())
        before = Spent.of(parts)
        while await self._count(CLOSED) < count and self._left() > -down - LATEST:  # noqa: ASYNC110 - of others
            await asyncio.sleep(LOOK)
        return list(Spent.of(parts).since(before).items())[:MOST]

    def _figures(self, ends: list[float], count: int, play: Play, down: float) -> Sequence[Figure]:
        last = ends[-1] if len(ends) == count else math.inf
        begin, end = (self._midnight + timedelta(seconds=seconds) for seconds in (down, max([*ends[-1:], down])))
        guesses = [call for call in play.calls if call.outcome != MADE]
        made = [call.seconds for call in play.calls if call.outcome == MADE and begin <= call.due <= end] or [math.inf]
        before = sorted(call.seconds for call in guesses if call.answered < self._midnight) or [math.inf]
        closing = sorted(call.seconds for call in guesses if begin <= call.due <= end) or [math.inf]
        later = sorted(call.seconds for call in guesses if call.due > end) or [math.inf]
        after = " after the scheduler's start" if down else " after midnight"
        return [
            figures.at_most(f"the last of {count:,} games closed{after}", last - down, "s", 30),
            figures.plain("  half of them", percentile(ends or [math.inf], 0.5) - down, "s"),
            figures.plain("guesses before midnight, p50", percentile(before, 0.5) * 1e3, "ms"),
            figures.plain("  p99", percentile(before, 0.99) * 1e3, "ms"),
            figures.plain("guesses while games are closed, p50", percentile(closing, 0.5) * 1e3, "ms"),
            figures.at_most("  p99", percentile(closing, 0.99) * 1e3, "ms", 200),
            figures.plain("  how many", len(closing), ""),
            figures.plain("games made meanwhile, with both secrets, p50", percentile(sorted(made), 0.5) * 1e3, "ms"),
            figures.plain("  p99", percentile(sorted(made), 0.99) * 1e3, "ms"),
            figures.plain("calls that were asked again, since their outcome was not known", play.failed, ""),
            figures.plain("guesses while tables catch up and after that, p50", percentile(later, 0.5) * 1e3, "ms"),
            figures.at_most("  p99", percentile(later, 0.99) * 1e3, "ms", 200),
        ]

    async def _folded(self) -> Figure:
        began = time.perf_counter()
        end = await self._log.last_sequence()
        while await folded(self._settings) < end:  # noqa: ASYNC110 - of other processes
            await asyncio.sleep(0.5)
        return figures.plain("tables know everything after the last closing", time.perf_counter() - began, "s")

    async def _verified(self, wrongly_ended: int, late: int, play: Play) -> Sequence[Figure]:
        """How much is not as it must be, beside what was found in the log."""
        complaints = unfair(play.calls, self._midnight)
        for complaint in complaints[:TOLD]:
            self._say(complaint)
        *_, wrong = await verified(self._service)
        return [
            figures.at_most("guesses treated unfairly", len(complaints), f"of {len(play.calls):,} calls", 0),
            figures.at_most("guesses in the log at or after their midnight", late, "", 0),
            figures.at_most("games without exactly one end", wrongly_ended, "", 0),
            *wrong,
        ]

    async def _walk(self, games: set[GameId]) -> tuple[Mapping[GameId, Sequence[float]], int]:
        """When each of these games has ended, in seconds after midnight, and how many guesses of all came too late."""
        ends, late, closes = defaultdict[GameId, list[float]](list), 0, dict[GameId, datetime]()
        last, midnight = await self._log.last_sequence(), self._midnight - self._settings.offset
        async with aclosing(self._log.follow()) as arriving:
            async for records in arriving:
                for record in records:
                    if record.kind != KIND:
                        continue
                    for event in _commit(record.data).events:
                        if event.closes_at is not None:
                            closes[record.game] = event.closes_at
                        if event.type == "ended" and record.game in games:
                            ends[record.game].append((record.at - midnight).total_seconds())
                        late += event.type == "guessed" and event.at >= closes[record.game]
                if records[-1].sequence >= last:
                    break
        return ends, late
