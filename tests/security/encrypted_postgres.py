"""A real PostgreSQL, and in front of it what speaks TLS for it: the server of the wheel is built without.

What our client does is all its own: it asks for encryption, checks the certificate, and says nothing before that.
"""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import parse_qs, urlsplit

from libs.runtime.embedded.ports import HOST, free_port
from tests.security.authority import Pair

ASKS_FOR_TLS = (8).to_bytes(4) + (80877103).to_bytes(4)
SOCKET = ".s.PGSQL.5432"


@contextmanager
def in_front_of(url: str, pair: Pair | None) -> Iterator[str]:
    """Listen for clients of the PostgreSQL at this socket, with this certificate or unwilling; gives the address."""
    parts = urlsplit(url)
    front = _Front(parse_qs(parts.query)["host"][0] + "/" + SOCKET, pair)
    thread = threading.Thread(target=asyncio.run, args=(front.serve(port := free_port()),))
    thread.start()
    assert front.begun.wait(5)
    try:
        yield f"postgresql://{parts.username}@{HOST}:{port}{parts.path}"
    finally:
        front.end()
        thread.join()


class _Front:
    def __init__(self, socket: str, pair: Pair | None) -> None:
        self.begun = threading.Event()
        self._socket = socket
        self._context = None
        if pair:
            self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            self._context.load_cert_chain(pair.cert, pair.key)

    async def serve(self, port: int) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        async with await asyncio.start_server(self.meet, HOST, port):
            self.begun.set()
            await self._ended.wait()

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, ssl.SSLError):
            first = await reader.readexactly(8)
            if first == ASKS_FOR_TLS:
                writer.write(b"S" if self._context else b"N")
                await writer.drain()
                if self._context:
                    await writer.start_tls(self._context)
                first = b""
            inner_reader, inner_writer = await asyncio.open_unix_connection(self._socket)
            inner_writer.write(first)
            await asyncio.wait(
                [asyncio.create_task(_pass(reader, inner_writer)), asyncio.create_task(_pass(inner_reader, writer))],
                return_when=asyncio.FIRST_COMPLETED,
            )
            inner_writer.close()
        writer.close()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while more := await reader.read(65536):
            writer.write(more)
            await writer.drain()
