"""Chats are kept in order, once each, and only for their time."""

from datetime import timedelta

import pytest

from libs.runtime import ids
from libs.runtime.chat_store import ChatStore
from libs.runtime.connection import Connection
from libs.runtime.direct import Unread
from tests.until import until

HOUR = timedelta(hours=1)


@pytest.fixture
def chats(connection: Connection) -> ChatStore:
    return ChatStore(connection)


@pytest.fixture
def game() -> str:
    return ids.new_id()


async def texts(chats: ChatStore, game: str) -> list[bytes]:
    return [message.data for message in await chats.read(game)]


async def test_a_chat_is_read_in_order(chats: ChatStore, game: str) -> None:
    assert await texts(chats, game) == []
    for number in range(3):
        await chats.add(game, f"ann:{number}", str(number).encode(), HOUR)
    assert await texts(chats, game) == [b"0", b"1", b"2"]


async def test_the_same_message_is_kept_once(chats: ChatStore, game: str) -> None:
    assert await chats.add(game, "ann:1", b"hello", HOUR) == b"hello"
    assert await chats.add(game, "ann:1", b"hello again", HOUR) == b"hello"
    assert await texts(chats, game) == [b"hello"]


async def test_one_message_is_removed_and_the_others_stay(chats: ChatStore, game: str) -> None:
    for text in (b"one", b"two", b"three"):
        await chats.add(game, f"ann:{text!r}", text, HOUR)
    second = (await chats.read(game))[1]
    for _ in range(2):
        await chats.remove(second.sequence)
        assert await texts(chats, game) == [b"one", b"three"]


async def test_the_same_key_in_another_game_is_another_message(chats: ChatStore, game: str) -> None:
    other = ids.new_id()
    await chats.add(game, "ann:1", b"hello", HOUR)
    await chats.add(other, "ann:1", b"hello", HOUR)
    assert await texts(chats, other) == [b"hello"]


@pytest.mark.parametrize("ttl", [timedelta(seconds=1), timedelta(seconds=0.2), timedelta(seconds=-5)])
async def test_a_message_vanishes_when_its_time_is_over(chats: ChatStore, game: str, ttl: timedelta) -> None:
    await chats.add(game, "ann:1", b"short", ttl)
    await chats.add(game, "ann:2", b"long", HOUR)
    assert await texts(chats, game) == [b"short", b"long"]

    async def gone() -> bool:
        return await texts(chats, game) == [b"long"]

    await until(gone, 4)


async def test_without_a_connection_no_chat_can_be_read(connection: Connection, chats: ChatStore, game: str) -> None:
    await connection.close()
    with pytest.raises(Unread):
        await chats.read(game)


async def test_a_purge_forgets_this_games_chat_alone(chats: ChatStore, game: str) -> None:
    other = ids.new_id()
    await chats.add(game, "ann:1", b"hello", HOUR)
    await chats.add(other, "ann:2", b"hello", HOUR)
    await chats.purge(game)
    await chats.purge(game)
    assert await texts(chats, game) == []
    assert await texts(chats, other) == [b"hello"]
