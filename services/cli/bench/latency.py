"""Latency at a steady rate: how long a guess takes, and when the opponent's socket shows it."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from services.cli.bench import figures
from services.cli.bench.figures import Figure, percentile
from services.cli.bench.players import Game, Pair, pairs
from services.cli.bench.wire import BadAnswer

PAIRS = 40
LAST = 14
"""The version of a duel after all twelve guesses."""


class Latency(Struct, frozen=True):
    """Sorted times in seconds."""

    guesses: list[float]
    updates: list[float]


async def at(address: str, rate: float, seconds: float, *, watched: bool = True) -> Latency:
    """Guesses of new players at this rate, for so long; `watched`: every opponent has a socket open."""
    ready = await pairs(address, PAIRS, max(1, round(seconds * rate / PAIRS / 12) + 1))
    found = await steady(ready, rate, seconds, watched=watched)
    for pair, _ in ready:
        await pair.leave()
    return found


async def half(address: str, rate: float, seconds: float) -> Sequence[Figure]:
    """Guesses at half of the top rate: by themselves, as that was measured, and with sockets beside them."""
    alone = await at(address, rate, seconds, watched=False)
    watched = await at(address, rate, seconds)
    return [
        figures.plain(f"guess at {rate:.0f}/s, half of the top rate, p50", percentile(alone.guesses, 0.5) * 1000, "ms"),
        figures.at_most("  p99", percentile(alone.guesses, 0.99) * 1000, "ms", 50),
        figures.plain("  with every opponent watching, p50", percentile(watched.guesses, 0.5) * 1000, "ms"),
        figures.plain("  p99", percentile(watched.guesses, 0.99) * 1000, "ms"),
    ]


class Version(Struct):
    """What we read of a socket's frame."""

    type: str
    version: int = 0


async def steady(
    ready: Sequence[tuple[Pair, Sequence[Game]]], rate: float, seconds: float, *, watched: bool = True
) -> Latency:
    """Guess at this rate over all pairs, whatever the answers take; `watched`: while every opponent has a socket open.

    All sockets are open before the first guess, so that no guess has to wait for the opening of one.
    """
    guesses: list[float] = []
    updates: list[float] = []
    between = len(ready) / rate
    sides = (0, 1) if watched else ()
    tables = [[await _sit_down(pair, game, sides, updates) for game in games] for pair, games in ready]
    start = time.perf_counter()
    await asyncio.gather(
        *(
            _play(pair, games, watched, start + number * between / len(ready), between, seconds, guesses)
            for number, ((pair, games), watched) in enumerate(zip(ready, tables, strict=True))
        )
    )
    await asyncio.gather(*(table.leave() for table in itertools.chain.from_iterable(tables)))
    return Latency(sorted(guesses), sorted(updates))


@dataclass(frozen=True)
class _Table:
    """A game with the sockets of its players, and when each version was asked for."""

    sockets: list[ClientConnection]
    listeners: list[asyncio.Task[None]]
    sent: dict[int, float]

    async def leave(self) -> None:
        """Hang up, when what was asked for has arrived or is long overdue."""
        if self.listeners:
            await asyncio.wait(self.listeners, timeout=0.5)
        for listener in self.listeners:
            listener.cancel()
        for socket in self.sockets:
            await socket.close()


async def _sit_down(pair: Pair, game: Game, sides: Sequence[int], updates: list[float]) -> _Table:
    sent: dict[int, float] = {}
    sockets = {side: await watch(pair, side, game.id) for side in sides}
    listeners = [asyncio.create_task(_listen(socket, side, sent, updates)) for side, socket in sockets.items()]
    return _Table(list(sockets.values()), listeners, sent)


async def _play(
    pair: Pair,
    games: Sequence[Game],
    tables: Sequence[_Table],
    start: float,
    between: float,
    seconds: float,
    guesses: list[float],
) -> None:
    turns = (
        (table, version, *turn)
        for game, table in zip(games, tables, strict=True)
        for version, turn in enumerate(game.guesses, 3)
    )
    for number, (table, version, side, request) in enumerate(turns):
        due = start + number * between
        if number * between > seconds:
            return
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        table.sent[version] = time.perf_counter()
        status, content = await pair.wires[side].send(request)
        if status >= 300:
            raise BadAnswer(f"{status} {content[:200].decode(errors='replace')}")
        # From the instant at which it was due: a guess that had to queue has waited for that, too.
        guesses.append(time.perf_counter() - due)


async def watch(pair: Pair, side: int, game: str) -> ClientConnection:
    """A socket of one player of the pair at a game."""
    address = pair.address.replace("http", "ws", 1)
    headers = {"Authorization": f"Bearer {pair.wires[side].token}"}
    return await connect(f"{address}/api/v1/games/{game}/live", additional_headers=headers, compression=None)


async def _listen(socket: ClientConnection, side: int, sent: dict[int, float], updates: list[float]) -> None:
    """Note when each version arrives that the opponent's guess made, until the game's last."""
    version = 0
    while version < LAST:
        version = msgspec.json.decode(await socket.recv(), type=Version).version
        if version % 2 != (3 + side) % 2 and version in sent:
            updates.append(time.perf_counter() - sent[version])
