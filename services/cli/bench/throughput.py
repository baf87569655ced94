"""How many guesses a second from 64 connections, and how many bodies the bare pipe passes beside them."""

import asyncio
import itertools
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager

import nats
from msgspec import Struct

from libs.runtime.embedded import NatsServer
from libs.runtime.embedded.ports import free_port
from services.cli.bench.figures import percentile
from services.cli.bench.players import flood, guesses, pairs
from services.cli.bench.service import Service
from services.cli.bench.wire import Wire

CONNECTIONS = 64
GAMES = 60  # for each pair: enough for 2,300 guesses a second over 10 seconds
TURNS = 4
"""So often the service and the bare pipe take turns: a machine is not equally fast all the time."""
BODY = {"word": "x" * 200}  # about as much as a record of a guess has


class Turn(Struct, frozen=True):
    """How long each took in seconds, how long all together, and the seconds of CPU of each part of the service."""

    times: Sequence[float]
    seconds: float
    used: dict[str, float] = {}


class Rate(Struct, frozen=True):
    """A throughput a second, and two percentiles of the time each took, in seconds.

    `cpu`: microseconds of CPU that each part of the service has used for one.
    """

    rate: float
    p50: float
    p99: float
    cpu: dict[str, float] = {}

    @classmethod
    def of(cls, turns: Sequence[Turn]) -> "Rate":
        """All turns taken together."""
        times = sorted(time for turn in turns for time in turn.times)
        used: Counter[str] = Counter()
        for turn in turns:
            used.update(turn.used)
        return cls(
            len(times) / sum(turn.seconds for turn in turns),
            percentile(times, 0.5),
            percentile(times, 0.99),
            {name: spent * 1e6 / len(times) for name, spent in used.items()},
        )


async def beside(service: Service, seconds: float, turn: Callable[[float], Awaitable[Turn]]) -> tuple[Rate, Rate]:
    """What the service takes in, and what the bare pipe over the same NATS server does: so many seconds each."""
    whole, pipe = [], []
    async with _piped(service) as address:
        for _ in range(TURNS):
            whole.append(await turn(seconds / TURNS))
            pipe.append(await _bare(address, seconds / TURNS))
    return Rate.of(whole), Rate.of(pipe)


async def guessing(service: Service, seconds: float) -> Turn:
    """Guesses in duels, through everything."""
    ready = await pairs(service.address, CONNECTIONS // 2, max(2, round(GAMES * seconds / 10)))
    before = service.cpu()
    _, spent, times = await guesses(ready, seconds)
    used = {name: after - before.get(name, 0.0) for name, after in service.cpu().items()}
    for pair, _ in ready:
        await pair.leave()
    return Turn(times, spent, used)


async def _bare(address: str, seconds: float) -> Turn:
    """The same load on the bare pipe."""
    wires = [await Wire(address).__aenter__() for _ in range(CONNECTIONS)]
    request = wires[0].request("POST", "/pipe", BODY)
    return await flooded([(wire, itertools.repeat(request)) for wire in wires], seconds)


async def flooded(ready: Sequence[tuple[Wire, Iterator[bytes]]], seconds: float) -> Turn:
    """Send over each connection its requests, one after the other, for so long, and hang up."""
    times: list[float] = []
    start = time.perf_counter()
    await asyncio.gather(*(flood(wire, requests, start + seconds, times) for wire, requests in ready))
    spent = time.perf_counter() - start
    for wire, _ in ready:
        await wire.__aexit__()
    return Turn(times, spent)


@asynccontextmanager
async def _piped(service: Service) -> AsyncIterator[str]:
    """The bare pipe's address, while it runs."""
    port = free_port()
    nats_url = NatsServer(service.folder / "nats").url
    environment = {**os.environ, "WORDYARD_NATS_URL": nats_url, "WORDYARD_PORT": str(port)}
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-m", "services.cli.bench.pipe", part, env=environment)
        for part in ("back", "front")
    ]
    try:
        address = f"http://127.0.0.1:{port}"
        await _answers(address)
        yield address
    finally:
        for process in reversed(processes):
            process.terminate()
            await process.wait()
        await _clear(nats_url)


async def _answers(address: str) -> None:
    for _ in range(200):
        try:
            async with Wire(address) as wire:
                status, _body = await wire.send(wire.request("POST", "/pipe", BODY))
                if status < 300:
                    return
        except (OSError, asyncio.IncompleteReadError):
            pass
        await asyncio.sleep(0.05)
    raise TimeoutError("the bare pipe does not answer")


async def _clear(nats_url: str) -> None:
    """Remove the stream that the pipe has filled."""
    client = await nats.connect(nats_url)
    await client.jetstream().delete_stream("PIPE")
    await client.close()
