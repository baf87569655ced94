"""Boards through the whole service: HTTP, NATS, a solver and back, beside a route that does nothing."""

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from libs.core import lexicon
from libs.core.board import Row
from libs.core.solver_query import compile_rows
from services.cli.bench import figures
from services.cli.bench.figures import Figure, percentile
from services.cli.bench.players import flood
from services.cli.bench.service import Service
from services.cli.bench.wire import BadAnswer, Wire
from services.solver.addends import patterns
from services.solver.common import POPULAR
from services.solver.letters import Letters, newest

CONNECTIONS = 32
STEADY = 100  # boards a second where latency is measured
MIXED = 300  # boards a second of the mixed load
SMALL = 100  # words that a small board leaves at most
SEED = 5


class Boards:
    """Boards as players of other games have them: a popular opening, then any word that still fits."""

    def __init__(self) -> None:
        self._letters: Letters = newest()
        self._draw = np.random.default_rng(SEED)
        edition = lexicon.newest()
        self._secrets = [self._letters.ids[word] for word in edition.secrets if word in self._letters.ids]

    def game(self, rows: int) -> tuple[list[Row], int]:
        """The first rows of a game against some secret, and how many words they leave."""
        secret = self._draw.choice(self._secrets)
        board = [self._row(str(self._draw.choice(POPULAR)), secret)]
        standing = self._letters.standing(compile_rows(board))
        while len(board) < rows:
            board.append(self._row(self._letters.words[self._draw.choice(standing)], secret))
            standing = self._letters.standing(compile_rows(board))
        return board, len(standing)

    def _row(self, guess: str, secret: int) -> Row:
        number = int(patterns(self._letters, guess)[secret])
        return Row(guess, "".join("IRC"[number // 3**place % 3] for place in (4, 3, 2, 1, 0)))

    def small(self, count: int) -> list[list[Row]]:
        """So many different boards of two rows or three that leave few words."""
        found: dict[frozenset[Row], list[Row]] = {}
        while len(found) < count:
            board, left = self.game(2 + len(found) % 2)
            if left <= SMALL:
                found.setdefault(frozenset(board), board)
        return list(found.values())

    def mixed(self, count: int) -> list[list[Row]]:
        """So many boards of one row, of two and of three, as they come."""
        return [self.game(1 + number % 3)[0] for number in range(count)]

    def fifty(self, count: int) -> list[list[Row]]:
        """So many different boards that leave about fifty words."""
        found: dict[frozenset[Row], list[Row]] = {}
        while len(found) < count:
            board, left = self.game(2)
            if 40 <= left <= 60:
                found.setdefault(frozenset(board), board)
        return list(found.values())


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
        figures.plain("memory of a solver of its own after all that", _private(service), "MB"),
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


def _private(service: Service) -> float:
    memory: Any = service.of("services.solver.serve").memory_full_info()
    return float(memory.uss) / 1e6
