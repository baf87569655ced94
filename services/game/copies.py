"""Which games this copy keeps warm: every partition belongs to one of the copies that are there.

Rendezvous hashing: each copy has a weight for each partition, and the heaviest one listens to it. When a copy comes or
goes, only its own partitions move. For a moment two may listen to one, or nobody; correctness rests on none of it.
"""

import asyncio
import time
from contextlib import suppress
from hashlib import blake2b

import msgspec
import nats.errors
import structlog
from msgspec import Struct
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from libs.core import subjects
from libs.core.decoding import reader
from libs.core.messages import GameId
from libs.runtime import ids
from libs.runtime.connection import Connection, Ear

log = structlog.get_logger()

BEAT = 1.0  # seconds between two signs of life
GONE = 3.5  # seconds of silence after which a copy is no longer counted
GROUP = "game"


class Sign(Struct, frozen=True):
    """A sign of life, or the last one."""

    copy: str
    leaves: bool = False


_sign = reader(Sign)


def weight(copy: str, partition: int) -> bytes:
    """How much a copy wants a partition; compared with the others' weights."""
    return blake2b(f"{copy} {partition}".encode(), digest_size=8).digest()


def owned(copy: str, others: set[str]) -> set[int]:
    """The partitions of a copy beside these others."""
    return {
        partition
        for partition in range(subjects.PARTITIONS)
        if all(weight(copy, partition) > weight(other, partition) for other in others)
    }


class Copy:
    """This copy among its like: listens where it should."""

    def __init__(self, connection: Connection, hear: Ear) -> None:
        self.name = ids.new_id()
        self._connection = connection
        self._hear = hear
        self._others: dict[str, float] = {}  # when each was last heard
        self._listening: dict[int, Subscription] = {}
        self._always: list[Subscription] = []
        self._settling = asyncio.Lock()
        self._leaving = False

    @property
    def partitions(self) -> set[int]:
        """Where this copy listens now."""
        return set(self._listening)

    def owns(self, game: GameId) -> bool:
        """Is this copy asked first about this game?"""
        return subjects.partition(game) in self._listening

    async def join(self) -> None:
        """Begin to listen."""
        self._always = [
            await self._connection.listen(subjects.ASK_ANY, self._hear, GROUP),
            await self._connection.subscribe(subjects.COPIES, cb=self._meet),
        ]
        await self._settle()

    async def keep(self) -> None:
        """Show that we are there and look who is, until we leave.

        Raises `nats.errors.ConnectionClosedError` when the connection is closed for good: nobody could ask us any more.
        """
        while not self._leaving:
            try:
                await self._say(Sign(self.name))
                await self._settle()
            except nats.errors.Error as error:
                if self._connection.is_closed:
                    raise nats.errors.ConnectionClosedError from error
            await asyncio.sleep(BEAT)

    async def leave(self) -> None:
        """Let the others take over, and hear what is already under way to us."""
        self._leaving = True
        with suppress(nats.errors.Error):
            await self._say(Sign(self.name, leaves=True))
            await _drain(*self._listening.values(), *self._always)
        self._listening, self._always = {}, []

    async def _say(self, sign: Sign) -> None:
        await self._connection.publish(subjects.COPIES, msgspec.json.encode(sign))

    async def _meet(self, message: Msg) -> None:
        with suppress(msgspec.DecodeError, nats.errors.Error):
            sign = _sign(message.data)
            if sign.copy == self.name:
                return
            known = sign.copy in self._others
            if sign.leaves:
                self._others.pop(sign.copy, None)
            else:
                self._others[sign.copy] = time.monotonic()
            if known == sign.leaves:  # somebody has come or gone
                await self._settle()

    async def _settle(self) -> None:
        async with self._settling:
            silent = time.monotonic() - GONE
            self._others = {name: heard for name, heard in self._others.items() if heard > silent}
            mine = owned(self.name, set(self._others))
            if self._leaving or mine == self.partitions:
                return
            for partition in mine - self.partitions:
                subject = subjects.ask_partition(partition)
                self._listening[partition] = await self._connection.listen(subject, self._hear, GROUP)
            lost = [self._listening.pop(partition) for partition in self.partitions - mine]
            log.info("partitions", mine=len(mine), copies=len(self._others) + 1)
            await _drain(*lost)


async def _drain(*subscriptions: Subscription) -> None:
    """Hear no more, but still what has been sent to us."""
    await asyncio.gather(*(each.drain() for each in subscriptions))  # type: ignore[no-untyped-call]
