"""More copies of the services beside those of `wordyard up`: how throughput grows, and how soon one is ready."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import httpx

from libs.runtime.embedded.ports import free_port
from services.cli.bench import figures
from services.cli.bench.figures import Figure
from services.cli.bench.players import guesses, pairs
from services.cli.bench.service import Service
from services.cli.bench.throughput import CONNECTIONS, GAMES
from services.cli.embedded import MODULES

COPIES = (1, 2, 4)
START_WITHIN = 60.0  # seconds
LOOKS = 0.01  # seconds between two looks whether a copy is ready


@asynccontextmanager
async def copy(service: Service, name: str) -> AsyncIterator[tuple[str, float]]:
    """One more copy of a service for as long as the block runs: its address, and the seconds until it was ready."""
    port = str(free_port())
    there = service.of(MODULES[name]).environ()
    own = {**there, "WORDYARD_PORT": port, "WORDYARD_OPS_PORT": port, "WORDYARD_PARENT": str(os.getpid())}
    address, began = f"http://127.0.0.1:{port}", time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", MODULES[name]),
        env=own,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await _ready(address)
        yield address, time.perf_counter() - began
    finally:
        process.terminate()
        await process.wait()


async def _ready(address: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client, asyncio.timeout(START_WITHIN):
        while True:
            try:
                if (await client.get(f"{address}/health/ready")).status_code == httpx.codes.OK:
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(LOOKS)


async def scaling(service: Service, seconds: float) -> Sequence[Figure]:
    """Guesses a second with 1, 2 and 4 copies of api and game, and what each further copy brings."""
    found: list[Figure] = []
    async with AsyncExitStack() as running:
        addresses, alone = [service.address], 0.0
        for copies in COPIES:
            while len(addresses) < copies:
                await running.enter_async_context(copy(service, "game"))
                addresses.append((await running.enter_async_context(copy(service, "api")))[0])
            rate = await _rate(addresses, seconds)
            alone = alone or rate
            found += [
                figures.plain(f"guesses a second, {copies} x api and game", rate, "/s"),
                figures.plain("  of what one copy takes", rate / alone, "x"),
            ]
    return found


async def _rate(addresses: Sequence[str], seconds: float) -> float:
    each = CONNECTIONS // 2 // len(addresses)
    games = max(2, round(GAMES * seconds / 10))
    ready = [pair for address in addresses for pair in await pairs(address, each, games)]
    count, spent, _ = await guesses(ready, seconds)
    for pair, _games in ready:
        await pair.leave()
    return count / spent


async def starts(service: Service) -> Sequence[Figure]:
    """How long one more copy of each service takes from its command to being ready, beside all that runs."""
    found = []
    for name in MODULES:
        async with copy(service, name) as (_, seconds):
            found.append(figures.plain(f"{name} ready after", seconds, "s"))
    return found
