"""Boards through the whole service: HTTP, NATS, a solver and back, beside a route that does nothing."""

import asyncio
import itertools
import os
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
import psutil

from libs.core.board import Row
from libs.runtime.embedded import NatsServer
from libs.runtime.embedded.ports import free_port
from services.cli.bench import figures
from services.cli.bench.boards import Boards
from services.cli.bench.figures import Figure, percentile
from services.cli.bench.players import flood
from services.cli.bench.service import Service
from services.cli.bench.solver import private
from services.cli.bench.wire import BadAnswer, Wire

CONNECTIONS = 32
STEADY = 100  # boards a second where latency is measured
MIXED = 300  # boards a second of the mixed load


async def measure(service: Service, seconds: float) -> Sequence[Figure]:
    """All figures of boards over HTTP; each load lasts so long."""
    boards = Boards()
    wires = [await Wire(service.address).__aenter__() for _ in range(CONNECTIONS)]
    ask = Asks(wires)
    fresh = await ask.throughput(boards.small(round(2500 * seconds)), seconds)
    cached = await ask.throughput(boards.small(50), seconds, again=True)
    empty, fifty = await ask.beside_nothing(boards.fifty(round(STEADY * seconds)))
    mixed = await ask.steady([ask.board(rows) for rows in boards.mixed(round(MIXED * seconds))], MIXED)
    for wire in wires:
        await wire.__aexit__()
    return [
        figures.at_least("boards a second that were asked before", cached, "/s", 1500),
        figures.at_least("fresh small boards a second", fresh, "/s", 800),
        figures.plain(f"an empty route at {STEADY}/s, p50", percentile(empty, 0.5) * 1e3, "ms"),
        figures.plain(f"a fresh board of fifty words at {STEADY}/s, p50", percentile(fifty, 0.5) * 1e3, "ms"),
        figures.at_most("  above the empty route", (percentile(fifty, 0.5) - percentile(empty, 0.5)) * 1e3, "ms", 3),
        figures.plain("  of the empty route", percentile(fifty, 0.5) / percentile(empty, 0.5), "x"),
        figures.plain(f"real boards of one to three rows at {MIXED}/s, p50", percentile(mixed, 0.5) * 1e3, "ms"),
        figures.at_most("  p99", percentile(mixed, 0.99) * 1e3, "ms", 60),
        *await _further(service),
    ]


class Asks:
    """The requests, and how long they take."""

    def __init__(self, wires: Sequence[Wire]) -> None:
        self._wires = wires
        self._nothing = wires[0].request("GET", "/health/live")

    def board(self, rows: Sequence[Row]) -> bytes:
        """The request about a board."""
        return self._wires[0].request("POST", "/api/v1/solver", {"rows": rows})

    async def throughput(self, boards: Sequence[Sequence[Row]], seconds: float, *, again: bool = False) -> float:
        """Boards a second from all connections at once, each board once, or again and again."""
        requests: Iterator[bytes] = iter([self.board(rows) for rows in boards])
        if again:
            requests = itertools.cycle(requests)
        times: list[float] = []
        start = time.perf_counter()
        await asyncio.gather(*(flood(wire, requests, start + seconds, times) for wire in self._wires))
        return len(times) / (time.perf_counter() - start)

    async def beside_nothing(self, boards: Sequence[Sequence[Row]]) -> tuple[list[float], list[float]]:
        """Sorted times of the empty route and of boards, asked in turn."""
        asked = [request for rows in boards for request in (self._nothing, self.board(rows))]
        times = await self._at_rate(asked, 2 * STEADY)
        return sorted(times[::2]), sorted(times[1::2])

    async def steady(self, requests: Sequence[bytes], rate: float) -> list[float]:
        """Sorted times of requests that come at this rate, whatever the answers take."""
        return sorted(await self._at_rate(requests, rate))

    async def _at_rate(self, requests: Sequence[bytes], rate: float) -> list[float]:
        times = [0.0] * len(requests)
        start = time.perf_counter()
        todo = iter(enumerate(requests))

        async def work(wire: Wire) -> None:
            for number, request in todo:
                due = start + number / rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                await _good(wire, request)
                times[number] = time.perf_counter() - due  # whoever had to queue has waited for that, too

        await asyncio.gather(*(work(wire) for wire in self._wires))
        return times


async def _good(wire: Wire, request: bytes) -> None:
    status, content = await wire.send(request)
    if status >= 300:
        raise BadAnswer(f"{status} {content[:200].decode(errors='replace')}")


async def _further(service: Service) -> Sequence[Figure]:
    """One more solver of the same service: how soon it answers, and what it needs that the first does not share."""
    port = free_port()
    environment = {"WORDYARD_NATS_URL": NatsServer(service.folder / "nats").url, "WORDYARD_OPS_PORT": str(port)}
    start = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "services.solver.serve"), env={**os.environ, **environment}, stdout=DEVNULL
    )
    try:
        await _ready(port)
        ready = time.perf_counter() - start
        async with httpx.AsyncClient(trust_env=False, base_url=service.address) as client:
            for row in ({"guess": "slate", "marks": "IIIII"}, {"guess": "pound", "marks": "IIIII"}) * 5:
                (await client.post("/api/v1/solver", json={"rows": [row]})).raise_for_status()
        memory: Any = psutil.Process(process.pid).memory_full_info()
    finally:
        process.terminate()
        await process.wait()
    imports = await asyncio.to_thread(private, "import services.solver.serve, services.solver.warm")
    return [
        figures.plain("one more solver answers after", ready * 1e3, "ms"),
        figures.at_most("  memory of its own beyond its imports", memory.uss / 1e6 - imports, "MB", 5),
    ]


async def _ready(port: int) -> None:
    """Wait until the solver says at this port that it is ready."""
    for _ in range(2000):
        try:
            async with Wire(f"http://127.0.0.1:{port}") as wire:
                status, _body = await wire.send(wire.request("GET", "/health/ready"))
                if status < 300:
                    return
        except (OSError, asyncio.IncompleteReadError):
            pass
        await asyncio.sleep(0.005)
    raise TimeoutError("the solver does not become ready")
