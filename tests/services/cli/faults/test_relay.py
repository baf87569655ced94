"""The TCP proxy that stands for a bad network."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from libs.runtime.embedded.ports import HOST
from services.cli.faults.relay import Relay


@pytest.fixture
async def relay() -> AsyncIterator[Relay]:
    """One before a server that answers each line with `heard ` and the line."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(b"heard " + line)
        writer.close()

    server = await asyncio.start_server(answer, HOST, 0)
    async with server, Relay(f"{HOST}:{server.sockets[0].getsockname()[1]}") as between:
        yield between


class Line:
    """A client's connection through the relay."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, relay: Relay) -> "Line":
        return cls(*await asyncio.open_connection(HOST, relay.port))

    def say(self, text: str) -> None:
        self._writer.write(text.encode() + b"\n")

    async def hear(self, within: float = 5) -> str:
        """The next line; empty if the connection is broken. Raises `TimeoutError`."""
        async with asyncio.timeout(within):
            try:
                return (await self._reader.readline()).decode().strip()
            except ConnectionError:
                return ""

    async def ask(self, text: str) -> str:
        self.say(text)
        return await self.hear()


async def test_it_passes_on_what_both_sides_say(relay: Relay) -> None:
    assert not relay.used
    line = await Line.to(relay)
    assert [await line.ask("one"), await line.ask("two")] == ["heard one", "heard two"]
    assert relay.used


async def test_cut_it_breaks_what_there_is_and_refuses_what_comes_until_it_listens_again(relay: Relay) -> None:
    line, port = await Line.to(relay), relay.port
    assert await line.ask("one") == "heard one"
    await relay.cut()
    assert await line.hear() == ""
    with pytest.raises(OSError):
        await Line.to(relay)
    await relay.listen()
    assert relay.port == port
    assert await (await Line.to(relay)).ask("two") == "heard two"


async def test_silent_it_keeps_everything_and_delivers_it_late(relay: Relay) -> None:
    line = await Line.to(relay)
    assert await line.ask("one") == "heard one"
    relay.silent = True
    line.say("two")
    newcomer = await Line.to(relay)
    newcomer.say("three")
    for waiting in (line, newcomer):
        with pytest.raises(TimeoutError):
            await waiting.hear(within=0.1)
    relay.silent = False
    assert (await line.hear(), await newcomer.hear()) == ("heard two", "heard three")


async def test_deaf_it_loses_answers_and_then_the_connection(relay: Relay) -> None:
    line = await Line.to(relay)
    relay.deaf = True
    line.say("one")
    with pytest.raises(TimeoutError):
        await line.hear(within=0.1)
    relay.deaf = False
    assert await line.hear() == ""
    assert await (await Line.to(relay)).ask("two") == "heard two"


async def test_slow_it_takes_the_delay_in_each_direction(relay: Relay) -> None:
    line, loop = await Line.to(relay), asyncio.get_running_loop()
    relay.delay = 0.1
    began = loop.time()
    assert await line.ask("one") == "heard one"
    assert loop.time() - began >= 2 * relay.delay
