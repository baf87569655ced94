"""The network between the NATS servers: one of them no longer hears the other two, but still its clients."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from libs.runtime.embedded.ports import HOST
from services.cli.cluster import Cluster
from services.cli.faults.fault import Act, Fault, Stage
from services.cli.faults.networks import LOOK, WITHIN, Harm, amid, cut, silence
from services.cli.faults.processes import SERVERS
from services.cli.faults.relay import Relay
from services.cli.faults.streams import leader

Ways: TypeAlias = Mapping[tuple[str, str], Relay]
"""How a server reaches another one, by the names of both."""

NOBODY = f"{HOST}:1"
"""What servers tell each other of where they are, so that they use only the ways that they are given."""

_ROUTES = re.compile(r"routes: \[(.*?)\]", re.DOTALL)
_PORT = re.compile(r"nats://[^:]+:(\d+)")


@asynccontextmanager
async def relayed(stage: Stage) -> AsyncIterator[Ways]:
    """Within, the servers reach each other through relays alone; they are restarted in turn before and after.

    Raises `TimeoutError` if two of them do not meet through a relay.
    """
    files = {name: _config(stage.cluster, name) for name in SERVERS}
    direct = {name: file.read_text() for name, file in files.items()}
    routes = _ROUTES.search(direct[SERVERS[0]])
    ports = dict(zip(SERVERS, _PORT.findall(routes[1] if routes else ""), strict=True))
    async with AsyncExitStack() as closing:
        ways = {
            (one, other): await closing.enter_async_context(Relay(f"{HOST}:{ports[other]}"))
            for one in SERVERS
            for other in SERVERS
            if one != other
        }
        try:
            for name, text in direct.items():
                own = ", ".join(f'"nats://{HOST}:{relay.port}"' for (one, _), relay in ways.items() if one == name)
                files[name].write_text(_ROUTES.sub(f'routes: [{own}]\n  advertise: "{NOBODY}"', text))
            for _ in range(2):  # the first time they still hear from each other where the others were before
                await _restart(stage)
            await _met(ways)
            yield ways
        finally:
            for name, text in direct.items():
                files[name].write_text(text)
            await _restart(stage)


def _config(cluster: Cluster, name: str) -> Path:
    return cluster.folder.path / name / "nats.conf"


async def _restart(stage: Stage) -> None:
    for name in SERVERS:
        await stage.do(stage.cluster.restart, name)


async def _met(ways: Ways) -> None:
    """Wait until every two servers are connected through one of the relays between them. Raises `TimeoutError`."""
    async with asyncio.timeout(WITHIN):
        while not all(ways[one, other].used or ways[other, one].used for one, other in combinations(SERVERS, 2)):  # noqa: ASYNC110
            await asyncio.sleep(LOOK)


def isolated(harm: Harm) -> Act:
    """This between the leader of the log's stream and the other two."""

    async def act(stage: Stage) -> None:
        async with relayed(stage) as ways:
            lonely = await leader(stage.cluster)
            await amid(harm, stage, [relay for pair, relay in ways.items() if lonely in pair])

    return act


def faults() -> Iterable[Fault]:
    """Cut at once, and silent."""
    for name, harm, does in (
        ("cut-leader", cut, "cut off from the other two, but not from its clients"),
        ("silent-leader", silence, "not heard by the other two, which then hear all of it late"),
    ):
        yield Fault(
            name=name,
            does=f"the log's leader is {does}",
            expected="another leads; what the old one took meanwhile is not acknowledged",
            act=isolated(harm),
        )
