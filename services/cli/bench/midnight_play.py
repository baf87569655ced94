"""Players who go on across midnight, and whether each of their guesses was treated fairly."""

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct

from libs.runtime.clock import Clock
from services.cli.bench.players import Game, Pair
from services.cli.bench.wire import BadAnswer

UNKNOWN = 503
MADE, TAKEN, CLOSED = "made", "taken", "closed"


class Call(Struct, frozen=True):
    """One call of a player, by the service's clock."""

    due: datetime  # when it should have been sent: whoever had to queue has waited for that, too
    sent: datetime
    answered: datetime
    game: str
    outcome: str  # "made", "taken", or the code of the refusal

    @property
    def seconds(self) -> float:
        """How long it took."""
        return (self.answered - self.due).total_seconds()


class _Problem(Struct):
    code: str = ""


class Play:
    """Pairs who play one duel after the other, each pair at a steady rate."""

    def __init__(self, pairs: Sequence[Pair], rate: float, now: Clock) -> None:
        """`rate`: calls a second of all pairs together."""
        self.calls: list[Call] = []
        self.failed = 0  # times that it was not known what had become of a call
        self._pairs = pairs
        self._between = len(pairs) / rate
        self._now = now
        self._on = True

    async def run(self) -> None:
        """Play until told to stop; what became of a guess is asked for until that is known."""
        start = time.perf_counter()
        await asyncio.gather(
            *(self._pair(pair, start + n * self._between / len(self._pairs)) for n, pair in enumerate(self._pairs))
        )

    def stop(self) -> None:
        """Let everybody finish the call that is under way."""
        self._on = False

    async def _pair(self, pair: Pair, start: float) -> None:
        turns = (start + n * self._between for n in itertools.count())
        number = 0
        while self._on:
            due = await self._turn(turns)
            sent, number = self._now(), number + 1
            try:
                game = await pair.make(number)
            except BadAnswer:  # it is not known whether it was made
                self.failed += 1
                continue
            self.calls.append(Call(due, sent, self._now(), game.id, MADE))
            await self._guess(pair, game, itertools.dropwhile(_is_past, turns))  # nobody guesses before there is a game

    async def _guess(self, pair: Pair, game: Game, turns: Iterator[float]) -> None:
        for side, request in game.guesses:
            due = await self._turn(turns)
            if not self._on:
                return
            sent = self._now()
            while (answer := await pair.wires[side].send(request))[0] == UNKNOWN:
                self.failed += 1
            status, content = answer
            outcome = TAKEN if status < 300 else msgspec.json.decode(content, type=_Problem).code
            self.calls.append(Call(due, sent, self._now(), game.id, outcome))
            if outcome == CLOSED:
                return

    async def _turn(self, turns: Iterator[float]) -> datetime:
        """Wait for the pair's next turn; answers when that was."""
        wait = next(turns) - time.perf_counter()
        due = self._now() + timedelta(seconds=wait)
        await asyncio.sleep(max(0.0, wait))
        return due


def _is_past(turn: float) -> bool:
    return turn < time.perf_counter()


def unfair(calls: Sequence[Call], midnight: datetime) -> list[str]:
    """What players at this midnight could complain of; whatever was under way at that moment may go either way."""
    made = {call.game: call for call in calls if call.outcome == MADE}
    found = []
    for call in calls:
        game = made[call.game]
        when = f"a guess sent at {call.sent:%H:%M:%S.%f} and answered at {call.answered:%H:%M:%S.%f}"
        if call.outcome == MADE:
            continue
        if game.sent >= midnight or call.answered < midnight:
            if call.outcome != TAKEN:
                found.append(f"{when} was refused ({call.outcome})")
        elif game.answered < midnight <= call.sent and call.outcome != CLOSED:
            found.append(f"{when} was not refused ({call.outcome})")
    return found
