"""Latency at a steady rate: how long a guess takes, and when the opponent's socket shows it."""

import asyncio
import time
from collections.abc import Sequence

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from services.cli.bench.players import Game, Pair
from services.cli.bench.wire import BadAnswer


class Latency(Struct, frozen=True):
    """Sorted times in seconds."""

    guesses: list[float]
    updates: list[float]


class Version(Struct):
    """What we read of a socket's frame."""

    type: str
    version: int = 0


async def steady(ready: Sequence[tuple[Pair, Sequence[Game]]], rate: float, seconds: float) -> Latency:
    """Guess at this rate over all pairs, whatever the answers take, while every opponent watches on a socket."""
    guesses: list[float] = []
    updates: list[float] = []
    between = len(ready) / rate
    await asyncio.gather(
        *(
            _play(pair, games, number * between / len(ready), between, seconds, guesses, updates)
            for number, (pair, games) in enumerate(ready)
        )
    )
    return Latency(sorted(guesses), sorted(updates))


async def _play(
    pair: Pair,
    games: Sequence[Game],
    delay: float,
    between: float,
    seconds: float,
    guesses: list[float],
    updates: list[float],
) -> None:
    start = time.perf_counter() + delay
    turn = 0
    for game in games:
        sent: dict[int, float] = {}
        sockets = [await watch(pair, side, game.id) for side in (0, 1)]
        listeners = [asyncio.create_task(_listen(sockets[side], side, sent, updates)) for side in (0, 1)]
        for version, (side, request) in enumerate(game.guesses, 3):
            due = start + turn * between
            turn += 1
            if due - start > seconds:
                break
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            sent[version] = time.perf_counter()
            status, content = await pair.wires[side].send(request)
            if status >= 300:
                raise BadAnswer(f"{status} {content[:200].decode(errors='replace')}")
            # From the instant at which it was due: a guess that had to queue has waited for that, too.
            guesses.append(time.perf_counter() - due)
        await asyncio.gather(*listeners)
        for socket in sockets:
            await socket.close()
        if turn * between > seconds:
            return


async def watch(pair: Pair, side: int, game: str) -> ClientConnection:
    """A socket of one player of the pair at a game."""
    address = pair.address.replace("http", "ws", 1)
    headers = {"Authorization": f"Bearer {pair.wires[side].token}"}
    return await connect(f"{address}/api/v1/games/{game}/live", additional_headers=headers, compression=None)


async def _listen(socket: ClientConnection, side: int, sent: dict[int, float], updates: list[float]) -> None:
    """Note when each version arrives that the opponent's guess made, until the game's last or a second of silence."""
    try:
        while True:
            frame = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 2), type=Version)
            if frame.version % 2 != (3 + side) % 2 and frame.version in sent:
                updates.append(time.perf_counter() - sent[frame.version])
            if frame.version == 14:
                return
    except TimeoutError:
        return
