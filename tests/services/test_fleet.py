"""Asking a fleet: any copy answers, silence and busy copies cost a moment, and the budget is kept."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from nats.aio.msg import Msg
from nats.micro.request import ERROR_CODE_HEADER
from prometheus_client import REGISTRY

from libs.runtime import ids
from libs.runtime.bus import connect
from libs.runtime.connection import Connection
from libs.runtime.embedded import NatsServer
from libs.runtime.fleet import BUSY, SILENCE, Busy, Fleet, NotTaken
from libs.runtime.settings import Settings
from tests import servers

Hear = Callable[[Msg], Awaitable[None]]


@pytest.fixture
def subject() -> str:
    """Where nobody else asks."""
    return f"fleet.{ids.new_id()}"


@pytest.fixture
def fleet(connection: Connection) -> Fleet:
    return Fleet(connection)


@asynccontextmanager
async def copy(connection: Connection, subject: str, *does: Hear) -> AsyncIterator[list[Msg]]:
    """Copies that do this with the first question, that with the second, and the last with all others."""
    heard: list[Msg] = []

    async def hear(message: Msg) -> None:
        heard.append(message)
        await does[min(len(heard), len(does)) - 1](message)

    subscription = await connection.subscribe(subject, queue="fleet", cb=hear)
    await connection.flush()
    yield heard
    await subscription.unsubscribe()


async def answer(message: Msg) -> None:
    await message.respond(message.data.upper())


async def silent(message: Msg) -> None:
    """Killed, as far as anybody knows."""


async def turned_away(message: Msg) -> None:
    await error(message, BUSY)


async def error(message: Msg, code: str, said: bytes = b"") -> None:
    await message._client.publish(message.reply, said, headers={ERROR_CODE_HEADER: code})


def again(why: str) -> float:
    return REGISTRY.get_sample_value("wordyard_solver_asked_again_total", {"why": why}) or 0


async def test_any_copy_answers(fleet: Fleet, connection: Connection, subject: str) -> None:
    async with copy(connection, subject, answer) as one, copy(connection, subject, answer) as other:
        answers = await asyncio.gather(*(fleet.ask(subject, f"q{number}".encode()) for number in range(40)))
    assert answers == [f"Q{number}".encode() for number in range(40)]
    assert len(one) + len(other) == 40
    assert min(len(one), len(other)) > 0


async def test_silence_costs_half_a_second(fleet: Fleet, connection: Connection, subject: str) -> None:
    before, start = again("silence"), time.monotonic()
    async with copy(connection, subject, silent, answer):
        assert await fleet.ask(subject, b"q") == b"Q"
    assert SILENCE <= time.monotonic() - start < SILENCE + 0.4
    assert again("silence") - before == 1


async def test_a_slow_answer_is_taken_though_another_copy_was_asked(
    fleet: Fleet, connection: Connection, subject: str
) -> None:
    async def slow(message: Msg) -> None:
        asyncio.get_running_loop().call_later(SILENCE + 0.2, lambda: asyncio.ensure_future(message.respond(b"late")))

    async with copy(connection, subject, slow, silent) as heard:
        assert await fleet.ask(subject, b"q") == b"late"
    assert len(heard) == 3


async def test_the_longer_the_silence_the_more_copies_are_asked(
    fleet: Fleet, connection: Connection, subject: str
) -> None:
    async with copy(connection, subject, silent) as heard:
        with pytest.raises(Busy):
            await fleet.ask(subject, b"q")
    assert len(heard) == 1 + 2 + 4 + 8


async def test_a_busy_copy_is_no_reason_to_give_up(fleet: Fleet, connection: Connection, subject: str) -> None:
    before, start = again("busy"), time.monotonic()
    async with copy(connection, subject, turned_away, answer):
        assert await fleet.ask(subject, b"q") == b"Q"
    assert time.monotonic() - start < SILENCE
    assert again("busy") - before == 1


async def test_told_twice_that_copies_are_busy_the_asker_hears_it_at_once(
    fleet: Fleet, connection: Connection, subject: str
) -> None:
    start = time.monotonic()
    async with copy(connection, subject, turned_away) as heard:
        with pytest.raises(Busy):
            await fleet.ask(subject, b"q")
    assert (len(heard), time.monotonic() - start < SILENCE) == (2, True)


async def test_a_copy_that_comes_back_within_the_budget_answers(
    fleet: Fleet, connection: Connection, subject: str
) -> None:
    asking = asyncio.create_task(fleet.ask(subject, b"q"))
    await asyncio.sleep(0.2)
    assert not asking.done()
    async with copy(connection, subject, answer):
        assert await asking == b"Q"


@pytest.mark.parametrize("does", [(), (silent,)], ids=["nobody", "silence"])
async def test_the_budget_is_kept(fleet: Fleet, connection: Connection, subject: str, does: tuple[Hear, ...]) -> None:
    start = time.monotonic()
    async with copy(connection, subject if does else f"{subject}.x", *does or (silent,)):
        with pytest.raises(Busy):
            await fleet.ask(subject, b"q", budget=0.7)
    assert 0.7 <= time.monotonic() - start < 1.2


async def test_a_refusal_is_final(fleet: Fleet, connection: Connection, subject: str) -> None:
    async def refuse(message: Msg) -> None:
        await error(message, "422", b"why")

    async with copy(connection, subject, refuse) as heard:
        with pytest.raises(NotTaken) as caught:
            await fleet.ask(subject, b"q")
    assert (caught.value.code, caught.value.said, len(heard)) == ("422", b"why", 1)


async def test_while_the_connection_is_restored_it_waits_and_then_asks(subject: str) -> None:
    with servers.nats_server() as server:
        settings = Settings(nats_url=server.url)
        asker, answerer = await connect(settings, "asker"), await connect(settings, "answerer")
        fleet = Fleet(asker)
        async with copy(answerer, subject, answer):
            assert await fleet.ask(subject, b"q") == b"Q"
            await asyncio.to_thread(_restart, server)
            assert await fleet.ask(subject, b"again", budget=10) == b"AGAIN"
        for connection in (asker, answerer):
            await connection.close()


def _restart(server: NatsServer) -> None:
    server.stop()
    server.start()
