"""What an idle socket costs."""

import asyncio
import itertools

from services.cli.bench.latency import watch
from services.cli.bench.players import pairs
from services.cli.bench.service import Service

AT_ONCE = 50  # sockets being opened side by side


async def idle(service: Service, count: int) -> tuple[float, float]:
    """Megabytes (resident) of the api before and after this many sockets were opened and have their first view."""
    api = service.of("services.api")
    ready = await pairs(service.address, 20, 10)
    seats = itertools.cycle([(pair, side, game.id) for pair, games in ready for game in games for side in (0, 1)])
    before = api.memory_info().rss / 1e6
    sockets = []
    for _ in range(count // AT_ONCE):
        batch = await asyncio.gather(*(watch(*next(seats)) for _ in range(AT_ONCE)))
        await asyncio.gather(*(socket.recv() for socket in batch))
        sockets += batch
    after = api.memory_info().rss / 1e6
    await asyncio.gather(*(socket.close() for socket in sockets))
    for pair, _ in ready:
        await pair.leave()
    return before, after
