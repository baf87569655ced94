"""The network between a copy of a service and its servers is cut, slow, silent, or loses what is answered."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from libs.runtime.embedded.ports import HOST
from libs.runtime.settings import PREFIX
from services.cli.faults.fault import Act, Fault, Stage
from services.cli.faults.processes import ONE_GOES_ON
from services.cli.faults.relay import Relay

COPIES = ("api-1", "game-1", "scheduler-1", "worker-1")
SLOW = 0.15  # seconds that everything takes more, each way
WITHIN = 60.0  # seconds for somebody to use a relay, and for somebody's guess to be acknowledged
LOOK = 0.1  # seconds between two looks at relays


@dataclass(frozen=True)
class Lines:
    """What a copy is connected by."""

    nats: list[Relay]
    postgres: Relay


@asynccontextmanager
async def relayed(stage: Stage, name: str) -> AsyncIterator[Lines]:
    """Within, this copy reaches NATS and PostgreSQL through relays alone; it is restarted before and after."""
    part = stage.service(name)
    direct = part.environment
    async with AsyncExitStack() as closing:
        nats = [
            await closing.enter_async_context(Relay(url.removeprefix("nats://")))
            for url in stage.cluster.nats_urls.values()
        ]
        postgres = await closing.enter_async_context(Relay.of_database(stage.cluster.postgres_dsn))
        part.environment = {
            **direct,
            f"{PREFIX}NATS_URL": ",".join(f"nats://{HOST}:{relay.port}" for relay in nats),
            f"{PREFIX}POSTGRES_URL": f"postgresql://postgres@{HOST}:{postgres.port}/wordyard",
        }
        try:
            await stage.do(stage.cluster.restart, name)
            yield Lines(nats, postgres)
        finally:
            part.environment = direct
            await stage.do(stage.cluster.restart, name)


Harm: TypeAlias = Callable[[Stage, list[Relay]], Awaitable[None]]
"""What the network does, from beginning to end."""


async def cut(stage: Stage, relays: list[Relay]) -> None:
    """No connection stays, and none can be made."""
    for relay in relays:
        await relay.cut()
    await stage.last()
    for relay in relays:
        await relay.listen()


async def silence(stage: Stage, relays: list[Relay]) -> None:
    """Nothing arrives; afterwards all of it does, late."""
    for relay in relays:
        relay.silent = True
    await stage.last()
    for relay in relays:
        relay.silent = False


async def no_answers(stage: Stage, relays: list[Relay]) -> None:
    """Questions arrive, answers do not."""
    for relay in relays:
        relay.deaf = True
    await stage.last()
    for relay in relays:
        relay.deaf = False


async def slow(stage: Stage, relays: list[Relay]) -> None:
    """Everything takes longer."""
    for relay in relays:
        relay.delay = SLOW
    await stage.last()
    for relay in relays:
        relay.delay = 0


def between(name: str, servers: Callable[[Lines], list[Relay]], harm: Harm) -> Act:
    """This between a copy of a service and some of its servers."""

    async def act(stage: Stage) -> None:
        async with relayed(stage, name) as lines:
            await amid(harm, stage, servers(lines))

    return act


async def amid(harm: Harm, stage: Stage, relays: list[Relay]) -> None:
    """Do this to relays once they are in use, and let guesses flow before they go. Raises `TimeoutError`."""
    async with asyncio.timeout(WITHIN):
        while True:  # a worker is ready before it has found NATS
            if any(relay.used for relay in relays):
                break
            await asyncio.sleep(LOOK)
    await harm(stage, relays)
    await stage.load.more(1, WITHIN)


def faults() -> Iterable[Fault]:
    """Each of these, for one copy of each service that has something to lose."""
    for name in COPIES:
        for kind, harm, does in (
            ("cut", cut, "cut"),
            ("silent", silence, "silent, and then delivers late"),
            ("unanswered", no_answers, "loses all answers"),
            ("slow", slow, f"slower by {SLOW:g} s each way"),
        ):
            yield Fault(
                name=f"{kind}-{name}-nats",
                does=f"the network between {name} and NATS is {does}".replace("is loses", "loses"),
                expected=ONE_GOES_ON,
                act=between(name, lambda lines: lines.nats, harm),
            )
        yield Fault(
            name=f"cut-{name}-postgres",
            does=f"the network between {name} and PostgreSQL is cut",
            expected="guesses go on, but no game begins; tables catch up",
            act=between(name, lambda lines: [lines.postgres], cut),
        )
