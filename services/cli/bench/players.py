"""Simulated players: pairs of guests who make duels and guess in them, over HTTP alone."""

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence

from msgspec import Struct

from services.cli.bench.wire import BadAnswer, Wire

WORDS = ("allot", "canal", "table", "plane", "smile", "world")
"""Six guesses that are never the secrets below: every game takes all twelve."""

SECRETS = ("crepe", "sight")


class Game(Struct, frozen=True):
    """A duel that both may play, and the requests of its twelve guesses, ready to be sent."""

    id: str
    guesses: tuple[tuple[int, bytes], ...]  # whose turn in this load (0 or 1), the request


class Pair:
    """Two guests, each with a connection of their own."""

    def __init__(self, address: str, name: str) -> None:
        self.address, self.name = address, name
        self.wires: tuple[Wire, Wire] = (Wire(address), Wire(address))
        self.players: list[str] = []

    async def enter(self) -> None:
        """Become guests."""
        for wire in self.wires:
            await wire.__aenter__()
            session = await wire.call("POST", "/api/v1/session/guest", {"token": True})
            wire.token = session["token"]
            self.players.append(session["player"]["id"])

    async def leave(self) -> None:
        """Hang up."""
        for wire in self.wires:
            await wire.__aexit__()

    async def make(self, number: int) -> Game:
        """A game with both secrets set."""
        maker, taker = self.wires
        invite = await maker.call(
            "POST", "/api/v1/invites", {"kind": "duel", "secret": SECRETS[0]}, f"{self.name}-{number}"
        )
        view = await taker.call("POST", f"/api/v1/invites/{invite['token']}/accept", {"secret": SECRETS[1]})
        path = f"/api/v1/games/{view['id']}/guesses"
        guesses = tuple(
            (side, self.wires[side].request("POST", path, {"word": word}, f"{turn}"))
            for turn, word in enumerate(WORDS)
            for side in (0, 1)
        )
        return Game(view["id"], guesses)


async def pairs(address: str, count: int, games: int) -> list[tuple[Pair, list[Game]]]:
    """This many pairs with this many games each, made side by side."""

    async def ready(number: int) -> tuple[Pair, list[Game]]:
        pair = Pair(address, f"bench-{time.time_ns()}-{number}")
        await pair.enter()
        return pair, [await pair.make(game) for game in range(games)]

    return await asyncio.gather(*(ready(number) for number in range(count)))


async def flood(wire: Wire, requests: Iterator[bytes], until: float, times: list[float]) -> None:
    """Send one request after the other until then (loop time), and note how long each took in seconds."""
    for request in requests:
        start = time.perf_counter()
        if start > until:
            return
        status, content = await wire.send(request)
        if status >= 300:
            raise BadAnswer(f"{status} {content[:200].decode(errors='replace')}")
        times.append(time.perf_counter() - start)


async def guesses(ready: Sequence[tuple[Pair, Sequence[Game]]], seconds: float) -> tuple[int, float, list[float]]:
    """Guess from all connections at once; answers with the number of guesses, the seconds, and all times, sorted."""
    times: list[float] = []
    start = time.perf_counter()
    await asyncio.gather(
        *(
            flood(wire, _own(games, side), start + seconds, times)
            for pair, games in ready
            for side, wire in enumerate(pair.wires)
        )
    )
    spent = time.perf_counter() - start
    return len(times), spent, sorted(times)


def _own(games: Sequence[Game], side: int) -> Iterator[bytes]:
    return itertools.chain.from_iterable(
        (request for whose, request in game.guesses if whose == side) for game in games
    )
