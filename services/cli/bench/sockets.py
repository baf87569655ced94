"""What sockets cost: idle ones, and very many of which each is told something now and then."""

import asyncio
import time
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection

from services.cli.bench.latency import Version, watch
from services.cli.bench.players import Game, Pair, pairs
from services.cli.bench.service import Service
from services.cli.bench.wire import BadAnswer

AT_ONCE = 50  # sockets being opened side by side
PAIRS, GAMES_EACH = 20, 10
EVERY = 10.0  # seconds in which each socket is told once
FIRST = 3  # the version that the first guess makes


class Crowd(Struct, frozen=True):
    """What very many sockets took: megabytes of the whole service, and sorted seconds until an update had arrived."""

    before: float
    after: float
    updates: list[float]


async def idle(service: Service, count: int) -> tuple[float, float]:
    """Megabytes (resident) of the api before and after this many sockets were opened and have their first view."""
    api = service.of("services.api")
    ready = await pairs(service.address, PAIRS, GAMES_EACH)
    before = api.memory_info().rss / 1e6
    sockets = await _open(ready, count)
    after = api.memory_info().rss / 1e6
    await asyncio.gather(*(socket.close() for _, socket in sockets))
    for pair, _ in ready:
        await pair.leave()
    return before, after


async def crowd(service: Service, count: int, seconds: float) -> Crowd:
    """This many sockets, shared out over some hundred games, for so many seconds; each hears of a guess every ten."""
    ready = await pairs(service.address, PAIRS, GAMES_EACH)
    before = service.megabytes()
    sockets = await _open(ready, count)
    after = service.megabytes()
    sent: dict[tuple[str, int], float] = {}
    updates: list[float] = []
    listeners = [asyncio.create_task(_listen(socket, game, sent, updates)) for game, socket in sockets]
    games = [(pair, game) for pair, games in ready for game in games]
    start, between = time.perf_counter(), EVERY / len(games)
    for turn in range(round(seconds / between)):
        await asyncio.sleep(max(0.0, start + turn * between - time.perf_counter()))
        pair, game = games[turn % len(games)]
        await _guess(pair, game, turn // len(games), sent)
    await asyncio.sleep(1)
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*(socket.close() for _, socket in sockets))
    for pair, _ in ready:
        await pair.leave()
    return Crowd(before, after, sorted(updates))


async def _open(ready: Sequence[tuple[Pair, Sequence[Game]]], count: int) -> list[tuple[str, ClientConnection]]:
    """So many sockets with their first view, on all seats in turn, each with the game that it watches."""
    seats = [(pair, side, game.id) for pair, games in ready for game in games for side in (0, 1)]
    wanted = [seats[number % len(seats)] for number in range(count)]
    opened: list[tuple[str, ClientConnection]] = []
    for first in range(0, count, AT_ONCE):
        seated = wanted[first : first + AT_ONCE]
        batch = await asyncio.gather(*(watch(*seat) for seat in seated))
        await asyncio.gather(*(socket.recv() for socket in batch))
        opened += [(game, socket) for (_, _, game), socket in zip(seated, batch, strict=True)]
    return opened


async def _guess(pair: Pair, game: Game, number: int, sent: dict[tuple[str, int], float]) -> None:
    side, request = game.guesses[number]
    sent[game.id, FIRST + number] = time.perf_counter()
    status, content = await pair.wires[side].send(request)
    if status >= 300:
        raise BadAnswer(f"{status} {content[:200].decode(errors='replace')}")


async def _listen(
    socket: ClientConnection, game: str, sent: dict[tuple[str, int], float], updates: list[float]
) -> None:
    while True:
        version = msgspec.json.decode(await socket.recv(), type=Version).version
        if (asked := sent.get((game, version))) is not None:
            updates.append(time.perf_counter() - asked)
