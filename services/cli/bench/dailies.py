"""The Daily under load: how many guesses a second, when thousands begin it at once."""

import asyncio
from collections.abc import Sequence

from services.cli.bench import figures
from services.cli.bench.figures import Figure
from services.cli.bench.service import Service
from services.cli.bench.throughput import CONNECTIONS, Turn, beside, flooded
from services.cli.bench.wire import Wire

WORDS = ("allot", "canal", "table", "plane", "smile", "world", "jumbo")
RATE = 2500  # guesses a second that there are players for
EACH = 6

GUEST, GUESSES = "/api/v1/session/guest", "/api/v1/daily/guesses"


async def measure(service: Service, seconds: float, how: str) -> Sequence[Figure]:
    """Six guesses each of as many guests as it takes, and the bare pipe beside it; `how` goes into the names."""
    words = await _wrong_words(service.address)
    whole, pipe = await beside(service, seconds, lambda part: _guessing(service.address, words, part))
    return [
        figures.plain(f"guesses at the Daily a second{how}", whole.rate, "/s"),
        figures.plain(f"  p50, p99 under that load{how}", whole.p50 * 1000, f"ms, {whole.p99 * 1000:.1f} ms"),
        figures.plain(f"bare pipe{how}", pipe.rate, "/s"),
        figures.at_least(f"share of the bare pipe{how}", whole.rate / pipe.rate, "", 0.6),
    ]


async def _guessing(address: str, words: Sequence[str], seconds: float) -> Turn:
    wires = [await Wire(address).__aenter__() for _ in range(CONNECTIONS)]
    guests = round(RATE * seconds / EACH / CONNECTIONS) + 1
    ready = await asyncio.gather(*(_requests(wire, words, guests) for wire in wires))
    return await flooded([(wire, iter(own)) for wire, own in zip(wires, ready, strict=True)], seconds)


async def _wrong_words(address: str) -> Sequence[str]:
    """Six words that do not solve today's Daily: a guest has tried."""
    async with Wire(address) as wire:
        wire.token = (await wire.call("POST", GUEST, {"token": True}))["token"]
        for word in WORDS[:EACH]:
            view = await wire.call("POST", GUESSES, {"word": word})
            if view["state"] == "solved":
                return [other for other in WORDS if other != word]
    return WORDS[:EACH]


async def _requests(wire: Wire, words: Sequence[str], guests: int) -> list[bytes]:
    """The guesses of so many new guests, one guest after the other."""
    ready = []
    for _ in range(guests):
        wire.token = ""
        wire.token = (await wire.call("POST", GUEST, {"token": True}))["token"]
        ready += [wire.request("POST", GUESSES, {"word": word}, word) for word in words]
    return ready
