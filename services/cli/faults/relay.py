"""A TCP proxy that stands for the network between two processes, and can be as bad as one."""

import asyncio
from contextlib import suppress
from typing import Self
from urllib.parse import unquote, urlsplit

from libs.runtime.embedded.ports import HOST

CHUNK = 65536  # bytes


class Relay:
    """Passes bytes on between those who connect to `port` and a target: a `host:port`, or the path of a socket file.

    `delay`: seconds that every chunk takes more, in each direction. While it is `silent`, nothing is passed on and
    nothing is refused, as if packets were lost; afterwards all of it arrives, late. While it is `deaf`, what comes from
    the target is thrown away: questions arrive, answers do not.
    """

    def __init__(self, target: str) -> None:
        self.port = 0
        self.delay = 0.0
        self._target = target
        self._deaf = False
        self._passing = asyncio.Event()
        self._passing.set()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @classmethod
    def of_database(cls, dsn: str) -> Self:
        """One to the PostgreSQL at this address, which listens on a socket file."""
        folder = unquote(urlsplit(dsn).query.removeprefix("host="))
        return cls(f"{folder}/.s.PGSQL.5432")

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.cut()

    @property
    def used(self) -> bool:
        """Is anybody connected through it?"""
        return bool(self._open)

    async def listen(self) -> None:
        """Take connections, on the same port as before."""
        self._server = await asyncio.start_server(self._take, HOST, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """Break all connections and refuse new ones, until `listen` is called."""
        if self._server is not None:
            self._server.close()
            self._server = None
        while self._open:
            self.break_all()
            await asyncio.wait(self._open)

    def break_all(self) -> None:
        """Break all connections."""
        for task in self._open:
            task.cancel()

    @property
    def silent(self) -> bool:
        """Is nothing passed on?"""
        return not self._passing.is_set()

    @silent.setter
    def silent(self, silent: bool) -> None:
        if silent:
            self._passing.clear()
        else:
            self._passing.set()

    @property
    def deaf(self) -> bool:
        """Is what comes from the target thrown away?"""
        return self._deaf

    @deaf.setter
    def deaf(self, deaf: bool) -> None:
        if self._deaf and not deaf:
            self.break_all()  # what comes now would not follow what came before
        self._deaf = deaf

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._server is not None and (task := asyncio.current_task()) is not None:
            self._open.add(task)
            task.add_done_callback(self._open.discard)
            with suppress(OSError, asyncio.CancelledError):  # it cannot connect, or `break_all` was called
                await self._join(reader, writer)
        writer.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._passing.wait()
        host, _, port = self._target.rpartition(":")
        there, target = await (
            asyncio.open_connection(host, int(port)) if host else asyncio.open_unix_connection(self._target)
        )
        pumps = [
            asyncio.create_task(self._pump(reader, target, back=False)),
            asyncio.create_task(self._pump(there, writer, back=True)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            target.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, back: bool) -> None:
        with suppress(OSError):
            while chunk := await reader.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self._passing.wait()
                if not (back and self.deaf):
                    writer.write(chunk)
                    await writer.drain()
