"""A light load on asyncio, for a program that does something to the service meanwhile and then wants the truth.

    with Ledger(file) as ledger:
        async with play(address, 8, ledger) as load:
            await load.more(20, within=30)  # it runs
            kill_something()
            await load.more(20, within=60)  # it runs again
            async with load.quiet(within=60):
                report = await verify(file, log, postgres_url)
            print(load.recovery.down, load.recovery.longest_wait)

Players survive refusals, 503s, cut connections and silence: a guess is sent with the same key until it is known what
has become of it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from services.cli.load import mix as mixes
from services.cli.load.driver import Driver, Pace
from services.cli.load.entering import enter
from services.cli.load.ledger import Ledger
from services.cli.load.mix import Mix
from services.cli.load.player import Player, World
from services.cli.load.recovery import Recovery

LOOK = 0.02  # seconds between two looks at how far the players have come


class Load:
    """A load that runs."""

    def __init__(self, world: World, pace: Pace, tasks: Sequence[asyncio.Task[None]]) -> None:
        self._world = world
        self._pace = pace
        self._tasks = tasks

    @property
    def recovery(self) -> Recovery:
        """How many guesses were acknowledged, and how long none could be."""
        return self._world.recovery

    async def more(self, guesses: int, within: float) -> None:
        """Wait until so many more guesses are acknowledged.

        Raises `TimeoutError` if that takes longer than `within` seconds, and whatever has ended a player.
        """
        goal = self.recovery.taken + guesses
        async with asyncio.timeout(within):
            while self.recovery.taken < goal:
                self._check()
                await asyncio.sleep(LOOK)

    @asynccontextmanager
    async def quiet(self, within: float) -> AsyncIterator[None]:
        """Within, nobody asks anything, all that was asked is settled, and the ledger is on the disk.

        Raises `TimeoutError` if not everything is settled after `within` seconds.
        """
        self._pace.go.clear()
        try:
            async with asyncio.timeout(within):
                while self._pace.busy:
                    self._check()
                    await asyncio.sleep(LOOK)
            self._world.ledger.flush()
            yield
        finally:
            self._pace.go.set()

    def _check(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()


@asynccontextmanager
async def play(
    address: str | Sequence[str],
    players: int,
    ledger: Ledger,
    *,
    mix: Mix = mixes.GAMES,
    think: float = 0.05,
    accounts: float = 0.0,
    patience: float = 60.0,
    driver: Callable[[Player, Sequence[str], Pace], Driver] = Driver,
) -> AsyncIterator[Load]:
    """Play at this address (of several, each player goes on to the next when one does not answer) within the block.

    `think` is how many seconds a player takes before a move, on average; `accounts` the share of players, 0 to 1, who
    sign in; `driver` carries out what a player does. After the block begun guesses are settled, for `patience` seconds
    at most; then the load raises what has ended a player, or `TimeoutError`.
    """
    world, pace = World(ledger), Pace(think)
    addresses = [address] if isinstance(address, str) else list(address)
    tasks = []
    for number in range(players):
        first = number % len(addresses)
        driven = driver(Player(world), addresses[first:] + addresses[:first], pace)
        tasks.append(asyncio.create_task(_live(driven, mix, account=number < accounts * players)))
    try:
        yield Load(world, pace, tasks)
        pace.on = False
        async with asyncio.timeout(patience):
            await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        ledger.flush()


async def _live(driver: Driver, mix: Mix, *, account: bool) -> None:
    async with driver:
        while driver.pace.on and not await driver.run(enter(driver.player, account=account)):
            await driver.breathe()
        while driver.pace.on:
            await driver.run(mixes.pick(mix)(driver.player))
            await driver.breathe()
