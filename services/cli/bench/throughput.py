"""How many guesses a second from 64 connections, and how many bodies the bare pipe passes beside them."""

import asyncio
import itertools
import os
import sys
import time
from collections.abc import Sequence

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
BODY = {"word": "x" * 200}  # about as much as a record of a guess has


class Rate(Struct, frozen=True):
    """A throughput a second, and two percentiles of the time each took, in seconds.

    `cpu`: microseconds of CPU that each part of the service has used for one.
    """

    rate: float
    p50: float
    p99: float
    cpu: dict[str, float] = {}


def _rate(count: int, seconds: float, times: Sequence[float], used: dict[str, float] | None = None) -> Rate:
    cpu = {name: spent * 1e6 / count for name, spent in (used or {}).items()}
    return Rate(count / seconds, percentile(times, 0.5), percentile(times, 0.99), cpu)


async def real(service: Service, seconds: float) -> Rate:
    """Guesses in duels, through everything."""
    games = max(2, round(GAMES * seconds / 10))
    ready = await pairs(service.address, CONNECTIONS // 2, games)
    before = service.cpu()
    found = await guesses(ready, seconds)
    used = {name: after - before.get(name, 0.0) for name, after in service.cpu().items()}
    for pair, _ in ready:
        await pair.leave()
    return _rate(*found, used)


async def bare(service: Service, seconds: float) -> Rate:
    """The same load on the bare pipe, over the same NATS server."""
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
        times: list[float] = []
        wires = [await Wire(address).__aenter__() for _ in range(CONNECTIONS)]
        request = wires[0].request("POST", "/pipe", BODY)
        start = time.perf_counter()
        await asyncio.gather(*(flood(wire, itertools.repeat(request), start + seconds, times) for wire in wires))
        found = _rate(len(times), time.perf_counter() - start, sorted(times))
        for wire in wires:
            await wire.__aexit__()
        return found
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
