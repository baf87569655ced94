"""The connection to NATS, made when that is possible: the api starts and answers without it."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import nats.errors
import structlog

from libs.core.calls import Answer, Call
from libs.runtime import bus
from libs.runtime.bus import Unavailable
from libs.runtime.chat_store import ChatStore
from libs.runtime.connection import Connection
from libs.runtime.fleet import Fleet
from libs.runtime.settings import Settings

log = structlog.get_logger()

BUDGET = 1.8  # seconds for an answer of the game service: ours is due after two
FIRST = 5.0  # seconds for the first connection, after which the proxy need not wait for it any more
PAUSE = 1.0  # seconds before a connection that was refused is tried again


class NatsLink:
    """One connection for all that the api asks and hears."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._connection: Connection | None = None
        self._chats: ChatStore | None = None
        self._fleet: Fleet | None = None
        self._made = time.monotonic()

    @property
    def connection(self) -> Connection:
        """The connection. Raises `Unavailable` before there is one."""
        if self._connection is None:
            raise Unavailable
        return self._connection

    @property
    def chats(self) -> ChatStore:
        """The store of chats. Raises `Unavailable` before there is a connection."""
        if self._chats is None:
            raise Unavailable
        return self._chats

    @property
    def fleet(self) -> Fleet:
        """The solvers. Raises `Unavailable` before there is a connection."""
        if self._fleet is None:
            raise Unavailable
        return self._fleet

    @property
    def is_up(self) -> bool:
        """Are we connected?"""
        return self._connection is not None and self._connection.is_connected

    @property
    def is_new(self) -> bool:
        """Have we had less than a few seconds to connect for the first time?"""
        return time.monotonic() - self._made < FIRST

    async def ask(self, call: Call) -> Answer:
        """Ask the game service. Raises `Unavailable`."""
        return await bus.ask(self.connection, call, BUDGET)

    async def keep(self, connected: Callable[[Connection], Awaitable[None]]) -> None:
        """Connect, and again if the broker has turned us away for good; `connected` is called each time."""
        while True:
            try:
                self._connection = await bus.connect(self._settings, "api")
                self._chats = ChatStore(self._connection)
                self._fleet = Fleet(self._connection)
                await connected(self._connection)
                while not self._connection.is_closed:  # noqa: ASYNC110 - the client has no event for it
                    await asyncio.sleep(PAUSE)
            except (nats.errors.Error, OSError, bus.ServerTooOld) as error:
                log.error("not connected", error=type(error).__name__, detail=str(error))
            await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        """Hang up."""
        if self._connection is not None and not self._connection.is_closed:
            await self._connection.close()
