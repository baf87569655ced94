"""What the lean connection says on the wire, and what it hears."""

from collections import deque

import nats.errors
import pytest
from nats.aio.msg import Msg
from nats.js.api import Header

from libs.runtime.arriving import read_headers
from libs.runtime.connection import Connection
from tests.until import until


async def test_a_message_arrives_with_its_headers_whether_a_coroutine_or_an_ear_takes_it(
    connection: Connection,
) -> None:
    by_coroutine: list[Msg] = []
    by_ear: list[Msg] = []

    async def hear(message: Msg) -> None:
        by_coroutine.append(message)

    await connection.subscribe("here", cb=hear)
    await connection.listen("here", by_ear.append)
    headers = {Header.MSG_ID: "7", "Nats-Other": "a: b"}
    await connection.publish("here", b"data", "back", headers)
    await until(lambda: by_coroutine and by_ear)
    for message in (by_coroutine[0], by_ear[0]):
        assert (message.subject, message.data, message.reply) == ("here", b"data", "back")
        assert message.headers == {"Nats-Msg-Id": "7", "Nats-Other": "a: b"}


async def test_what_came_before_the_ear_is_heard_first_and_nothing_twice(connection: Connection) -> None:
    heard: deque[bytes] = deque()
    await connection.publish("early", b"lost")
    subscription = await connection.listen("early", lambda message: heard.append(message.data))
    for number in range(1000):
        await connection.publish("early", b"%d" % number)
    await until(lambda: len(heard) == 1000)
    assert list(heard) == [b"%d" % number for number in range(1000)]
    await subscription.unsubscribe()
    await connection.publish("early", b"too late")
    await connection.request("$JS.API.INFO", timeout=5)  # its answer comes after all else
    assert len(heard) == 1000


async def test_an_ear_that_fails_keeps_no_other_from_hearing(connection: Connection) -> None:
    heard: list[Msg] = []

    def fail(message: Msg) -> None:
        raise ValueError(message.data)

    await connection.listen("fails", fail)
    await connection.listen("works", heard.append)
    await connection.publish("fails", b"x")
    await connection.publish("works", b"y")
    await until(lambda: heard)


async def test_groups_share_what_they_hear(connection: Connection) -> None:
    heard: list[Msg] = []
    for _ in range(3):
        await connection.listen("shared", heard.append, "group")
    for _ in range(50):
        await connection.publish("shared")
    await until(lambda: len(heard) >= 50)
    await connection.request("$JS.API.INFO", timeout=5)  # its answer comes after all else
    assert len(heard) == 50


async def test_a_message_too_large_for_the_server_is_refused_here(connection: Connection) -> None:
    with pytest.raises(nats.errors.MaxPayloadError):
        await connection.publish("large", b"x" * (connection.max_payload + 1))


@pytest.mark.parametrize(
    ("head", "headers"),
    [
        (b"NATS/1.0\r\nA: 1\r\nB: two: 2\r\n\r\n", {"A": "1", "B": "two: 2"}),
        (b"NATS/1.0 503\r\n\r\n", {"Status": "503", "Description": ""}),
        (b"NATS/1.0 404 No Messages\r\n\r\n", {"Status": "404", "Description": "No Messages"}),
        (b"NATS/1.0 204 EOB\r\nA: 3\r\n\r\n", {"Status": "204", "Description": "EOB", "A": "3"}),
    ],
)
def test_headers_are_read_and_the_servers_own_word_with_them(head: bytes, headers: dict[str, str]) -> None:
    assert read_headers(head) == headers
