"""What a fault is, and on what it is tried."""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

from msgspec import Struct

from services.cli.cluster import Cluster
from services.cli.cluster.parts import Process
from services.cli.load.ledger import Ledger
from services.cli.load.play import Load, play

NEWCOMERS = 4
PAIRED = 0.5
"""How often two processes are harmed at once, where a process is."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Stage:
    """A cluster under load, for one fault."""

    cluster: Cluster
    load: Load
    ledger: Ledger
    seconds: float  # that the fault lasts
    chance: random.Random  # whence comes what is left to chance
    folder: Path  # for what the fault has to keep, and gone after it

    def service(self, name: str) -> Process:
        """The process of this name, which is not PostgreSQL."""
        part = self.cluster.processes[name]
        assert isinstance(part, Process)  # noqa: S101 - all others are
        return part

    async def last(self) -> None:
        """Let the fault last."""
        await asyncio.sleep(self.seconds)

    def newcomers(self) -> AbstractAsyncContextManager[Load]:
        """Within, a few more people come in and play."""
        return play(self.cluster.address, NEWCOMERS, self.ledger)

    async def do(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Do what blocks, beside the load; answers with what came of it."""
        return await asyncio.to_thread(act, *arguments, **named)


Act: TypeAlias = Callable[[Stage], Coroutine[Any, Any, None]]
"""Does the fault and ends it: afterwards everything runs as before. Raises what has kept it from that."""


class Fault(Struct, frozen=True, kw_only=True):
    """Something that goes wrong and is put right again."""

    name: str
    does: str  # one sentence
    expected: str  # of the service, beyond that nothing is lost
    act: Act
    part: str = ""  # the one process that is harmed, where nothing else is touched


def together(one: Fault, other: Fault) -> Fault:
    """Both at once."""

    async def act(stage: Stage) -> None:
        async with asyncio.TaskGroup() as group:
            for fault in (one, other):
                group.create_task(fault.act(stage))

    return Fault(
        name=f"{one.name}+{other.name}",
        does=f"{one.does}; {other.does}",
        expected=f"{one.expected}; {other.expected}",
        act=act,
    )


def by_chance(faults: Sequence[Fault], rounds: int, chance: random.Random) -> Iterator[Fault]:
    """So many of these, one after the other; half of those that may, two at once."""
    for _ in range(rounds):
        one = chance.choice(faults)
        others = [other for other in faults if one.part and other.part not in ("", one.part)]
        yield together(one, chance.choice(others)) if others and chance.random() < PAIRED else one
