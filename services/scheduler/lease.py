"""Which copy of the scheduler follows the log, and how far it has come: one small record in NATS.

The leader writes it every second, each time from the revision it wrote last. Whoever sees the same revision for three
seconds of its own clock takes over from there; whoever has just begun lets the server say how long ago that was. Clocks
are never compared. Two leaders can overlap for a moment after a standstill. That does no harm: setting a timer twice
changes nothing, and the position moves from one revision alone.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, TypeAlias

import msgspec
import nats.errors
import structlog
from msgspec import Struct
from nats.js.api import KeyValueConfig
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError
from nats.js.kv import KeyValue

from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.metrics import LEADER
from libs.runtime.settings import Settings

BUCKET, KEY = "scheduler", "leader"
BEAT = 1.0
"""Seconds between two writes of the leader, and between two looks of the others."""
LOST = 3.0
"""Seconds without a write after which the lease is anybody's."""
GIVE_UP = 2.5
"""Seconds after its last write after which a leader that cannot write stops leading."""

log = structlog.get_logger()


class Entry(Struct, frozen=True):
    """What is written: who leads (empty: nobody any more), and the last sequence of the log whose timers are set.

    Timers ring by the machine's clock. Set by a service whose clock was `offset` seconds ahead of it, they are right
    for that offset alone.
    """

    holder: str
    position: int
    offset: float = 0.0


Age: TypeAlias = Callable[[], Awaitable[float]]
"""Answers with how many seconds ago the lease was written. Raises `nats.errors.Error`."""

_decode = msgspec.json.Decoder(Entry).decode


class _Times(Struct):
    last_ts: datetime  # of the newest message


class _Info(Struct):
    ts: datetime  # of this answer
    state: _Times


_info = msgspec.json.Decoder(_Info).decode


async def bucket(connection: Connection, settings: Settings) -> KeyValue:
    """The place where the lease is kept, made if it may be. Raises `nats.errors.Error`."""
    stream = connection.jetstream(timeout=BEAT)
    if not settings.create_streams:
        return await stream.key_value(BUCKET)
    return await stream.create_key_value(KeyValueConfig(bucket=BUCKET, replicas=settings.log_replicas))


async def age(connection: Connection) -> float:
    """How many seconds ago the lease was written, both instants by the server's clock. Raises `nats.errors.Error`."""
    reply = await connection.request(f"$JS.API.STREAM.INFO.KV_{BUCKET}", timeout=BEAT)
    try:
        info = _info(reply.data)
    except msgspec.ValidationError as error:  # no leader yet, for instance
        raise nats.errors.Error(str(error)) from None
    return (info.ts - info.state.last_ts).total_seconds()


class Lease:
    """One copy's view of the lease. `position` is the leader's to move; it is written with the next beat."""

    def __init__(self, store: KeyValue, name: str, offset: float = 0.0, age: Age | None = None) -> None:
        """Without `age` a lease that is seen for the first time counts as written just now."""
        self.position = 0
        self.leading = False
        self._store = store
        self._name = name
        self._offset = offset
        self._age = age
        self._revision = 0  # the newest that we know
        self._since = time.monotonic()  # when we first saw it, or began to write it

    async def beat(self) -> bool:
        """Write or look once; answers whether this copy leads now."""
        was = self.leading
        try:
            if self.leading:
                await self._write(self._revision)
            else:
                await self._look()
        except KeyWrongLastSequenceError:
            self.leading = False
        except nats.errors.Error:
            self.leading = self.leading and time.monotonic() - self._since < GIVE_UP
        if self.leading != was:
            log.info("leads" if self.leading else "leads no longer", position=self.position)
            LEADER.set(self.leading)
        return self.leading

    async def release(self) -> None:
        """Let the next copy take over at once."""
        if self.leading:
            self._name, name = "", self._name
            with suppress(nats.errors.Error):
                await self._write(self._revision)
            self._name = name
            self.leading = False
            LEADER.set(0)

    async def _look(self) -> None:
        try:
            found = await self._store.get(KEY)
        except KeyNotFoundError:
            await self._write(0)
            return
        entry = _decode(found.value or b"")
        if found.revision != self._revision:
            old = await self._age() if self._age is not None and not self._revision else 0.0
            self._revision, self._since = found.revision or 0, time.monotonic() - old
        if entry.holder in ("", self._name) or time.monotonic() - self._since >= LOST:
            self.position = entry.position if entry.offset == self._offset else 0
            await self._write(self._revision)

    async def _write(self, revision: int) -> None:
        began = time.monotonic()
        value = msgspec.json.encode(Entry(self._name, self.position, self._offset))
        if revision:
            self._revision = await self._store.update(KEY, value, last=revision)
        else:
            self._revision = await self._store.create(KEY, value)
        self._since, self.leading = began, True


async def lead(lease: Lease, works: Sequence[Callable[[], Coroutine[Any, Any, None]]], stop: asyncio.Event) -> None:
    """Do all of this work whenever this copy leads, and never otherwise, until told to stop."""
    working: list[asyncio.Task[None]] = []
    try:
        while not stop.is_set():
            leads = await lease.beat()
            for task in working:
                if task.done() and (error := task.exception()):
                    log.error("leading failed", exc_info=error)
            if not leads or any(task.done() for task in working):
                await end(*working)
                working = []
            if leads and not working:
                working = [asyncio.create_task(work()) for work in works]
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), BEAT)
    finally:
        await end(*working)
        await lease.release()
