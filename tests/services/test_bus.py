"""Asking the game service: the copy that has the game warm first, then any, within a budget; and the connection."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import nats.errors
import pytest
from nats.aio.msg import Msg
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from libs.core import calls, subjects
from libs.runtime import bus, ids, telemetry
from libs.runtime.connection import Connection
from libs.runtime.embedded import NatsServer
from libs.runtime.embedded.ports import HOST, free_port
from libs.runtime.settings import Settings
from tests import servers
from tests.until import until


@asynccontextmanager
async def copy(connection: Connection, subject: str, name: str | None) -> AsyncIterator[list[Msg]]:
    """A copy of the game service that listens here and answers with its name, or never; gives what it heard."""
    heard: list[Msg] = []

    async def hear(message: Msg) -> None:
        heard.append(message)
        if name is not None:
            assert isinstance(bus.question(message), calls.Wake)
            await bus.reply(message, calls.Answer(kind=name))

    subscription = await connection.subscribe(subject, queue="game", cb=hear)
    await connection.flush()
    yield heard
    await subscription.unsubscribe()


@pytest.fixture
def wake() -> calls.Wake:
    return calls.Wake(game=ids.new_id(), kind="duel")


@pytest.fixture
def stopwatch() -> Callable[[], float]:
    began = time.monotonic()
    return lambda: time.monotonic() - began


async def test_the_copy_that_owns_the_partition_is_asked(connection: Connection, wake: calls.Wake) -> None:
    async with copy(connection, subjects.ask(wake.game), "owner"), copy(connection, subjects.ASK_ANY, "any") as others:
        assert (await bus.ask(connection, wake)).kind == "owner"
    assert others == []


async def test_without_an_owner_any_copy_is_asked_at_once(
    connection: Connection, wake: calls.Wake, stopwatch: Callable[[], float]
) -> None:
    async with copy(connection, subjects.ASK_ANY, "any"):
        assert (await bus.ask(connection, wake)).kind == "any"
    assert stopwatch() < 0.5


async def test_when_the_owner_is_silent_any_copy_is_asked(
    connection: Connection, wake: calls.Wake, stopwatch: Callable[[], float]
) -> None:
    async with (
        copy(connection, subjects.ask(wake.game), None) as silent,
        copy(connection, subjects.ASK_ANY, "any"),
    ):
        assert (await bus.ask(connection, wake)).kind == "any"
    assert len(silent) == 1
    assert 0.6 < stopwatch() < 1.5


async def test_a_copy_that_comes_within_the_budget_is_found(connection: Connection, wake: calls.Wake) -> None:
    asking = asyncio.create_task(bus.ask(connection, wake))
    await until(lambda: connection.stats["out_msgs"] > 10)
    async with copy(connection, subjects.ASK_ANY, "late"):
        assert (await asking).kind == "late"


async def test_an_answer_that_is_not_understood_is_none(connection: Connection, wake: calls.Wake) -> None:
    async def mumble(message: Msg) -> None:
        await message.respond(b"?")

    await connection.subscribe(subjects.ask(wake.game), cb=mumble)
    await connection.subscribe(subjects.ASK_ANY, cb=mumble)
    with pytest.raises(bus.Unavailable):
        await bus.ask(connection, wake, budget=0.3)


@pytest.mark.parametrize("listening", [True, False])
async def test_after_the_budget_nobody_answers(
    connection: Connection, wake: calls.Wake, stopwatch: Callable[[], float], listening: bool
) -> None:
    async with copy(connection, subjects.ASK_ANY if listening else "nowhere", None):
        with pytest.raises(bus.Unavailable):
            await bus.ask(connection, wake, budget=1.0)
    assert 0.9 < stopwatch() < 1.5


async def test_a_broker_that_comes_back_within_the_budget_is_enough(wake: calls.Wake) -> None:
    with servers.nats_server() as server:
        settings = Settings(nats_url=server.url)
        edge, game = await bus.connect(settings, "edge"), await bus.connect(settings, "game")
        async with copy(game, subjects.ASK_ANY, "any"):
            await asyncio.to_thread(server.stop)
            await until(lambda: not edge.is_connected)
            with pytest.raises(bus.Unavailable):
                await bus.ask(edge, wake, budget=0.3)
            asking = asyncio.create_task(bus.ask(edge, wake))
            await asyncio.to_thread(server.start)
            assert (await asking).kind == "any"
        await edge.close()
        await game.close()


async def test_a_closed_connection_asks_nobody(nats_server: NatsServer, wake: calls.Wake) -> None:
    connection = await bus.connect(Settings(nats_url=nats_server.url), "test")
    await connection.close()
    with pytest.raises(bus.Unavailable):
        await bus.ask(connection, wake)


async def test_a_trace_goes_with_the_question(connection: Connection, wake: calls.Wake) -> None:
    telemetry.trace_as("test", Settings(trace_share=1.0))
    telemetry.watch_spans(SimpleSpanProcessor(InMemorySpanExporter()))
    async with copy(connection, subjects.ASK_ANY, "any") as heard:
        with telemetry.root("request") as span:
            await bus.ask(connection, wake)
    assert heard[0].headers is not None
    assert f"{span.get_span_context().trace_id:032x}" in heard[0].headers[telemetry.TRACEPARENT]


async def test_while_the_broker_is_away_nothing_is_kept_for_later() -> None:
    with servers.nats_server() as server:
        connection = await bus.connect(Settings(nats_url=server.url), "test")
        heard = await connection.subscribe("news")
        await asyncio.to_thread(server.stop)
        await until(lambda: not connection.is_connected)
        with pytest.raises(nats.errors.OutboundBufferLimitError):
            await connection.publish("news", b"old")
        await asyncio.to_thread(server.start)
        await until(lambda: connection.is_connected)
        await connection.publish("news", b"new")
        assert (await heard.next_msg(2)).data == b"new"
        await connection.close()


async def test_a_broker_that_is_not_there_yet_is_waited_for() -> None:
    with servers.folder() as path:
        server = NatsServer(path / "nats", sync="lazy")
        connecting = asyncio.create_task(bus.connect(Settings(nats_url=server.url), "test"))
        await asyncio.to_thread(server.start)
        connection = await asyncio.wait_for(connecting, 5)
        assert connection.is_connected
        await connection.close()
        server.kill()


@pytest.mark.parametrize(("version", "good"), [("2.13.9", False), ("2.14.0", True), ("3.0.0", True)])
async def test_a_server_older_than_our_timers_need_is_refused(version: str, good: bool) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"version": "%s", "max_payload": 1048576, "headers": true}\r\n' % version.encode())
        while line := await reader.readline():
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
        writer.close()

    port = free_port()
    async with await asyncio.start_server(serve, HOST, port):
        connecting = bus.connect(Settings(nats_url=f"nats://{HOST}:{port}"), "test")
        if good:
            await (await connecting).close()
        else:
            with pytest.raises(bus.ServerTooOld, match=r"2\.14"):
                await connecting
