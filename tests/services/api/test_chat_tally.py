"""How much each player has said: known without reading a chat again, and right whoever has written."""

from datetime import timedelta

import pytest

from libs.runtime import ids
from libs.runtime.chat_store import ChatStore
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from services.api import said
from services.api.chat_tally import CHATS, ChatTally
from services.api.said import Said

HOUR = timedelta(hours=1)


@pytest.fixture
def chats(connection: Connection) -> ChatStore:
    return ChatStore(connection)


@pytest.fixture
def game() -> str:
    return ids.new_id()


async def say(chats: ChatStore, game: str, by: str, *messages: str) -> None:
    for message in messages:
        one = Said(id=message, by=by, text="hello", at=clock()(), until=clock()() + HOUR)
        await chats.add(game, message, said.encode(one), HOUR)


async def test_each_players_messages_are_known_whoever_has_written_them(chats: ChatStore, game: str) -> None:
    tally = ChatTally()
    assert await tally.ids(chats, game, "ann") == set()
    await say(chats, game, "ann", "1", "2")
    await say(chats, game, "bob", "3")
    await say(chats, ids.new_id(), "ann", "4")
    assert await tally.ids(chats, game, "ann") == {"1", "2"}
    await say(chats, game, "ann", "5")  # by another copy of the api
    assert await tally.ids(chats, game, "ann") == {"1", "2", "5"}
    assert await tally.ids(chats, game, "bob") == {"3"}


async def test_what_was_read_is_not_read_again(chats: ChatStore, game: str) -> None:
    """Nothing of it is there any more, and it is counted all the same."""
    tally = ChatTally()
    await say(chats, game, "ann", "1")
    await tally.ids(chats, game, "ann")
    await chats.purge(game)
    await say(chats, game, "ann", "2")
    assert await tally.ids(chats, game, "ann") == {"1", "2"}


async def test_a_chat_that_was_forgotten_is_read_from_its_beginning(chats: ChatStore, game: str) -> None:
    tally = ChatTally()
    await say(chats, game, "ann", "1")
    await tally.ids(chats, game, "ann")
    for _ in range(CHATS):
        await tally.ids(chats, ids.new_id(), "ann")
    assert await tally.ids(chats, game, "ann") == {"1"}
