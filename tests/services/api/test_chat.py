"""Chat: said once, seen by both, starred on the side, and kept nowhere that lasts."""

import asyncio
import json
from datetime import timedelta

import pytest

from libs.core.messages import GameId
from libs.runtime import bus
from libs.runtime.chat_store import ChatStore
from libs.runtime.clock import clock
from libs.runtime.settings import Settings
from services.api import said
from services.api.chat import MOST
from services.api.said import Said
from tests.services.api.player import Player, duel, execute


async def test_what_is_said_is_seen_by_both(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    async with ann.live(game) as hers, bob.live(game) as his:
        await asyncio.gather(hers.recv(), his.recv())
        message = await ann.post(f"/games/{game}/chat", {"text": "What a shit word"})
        for socket in (hers, his):
            assert json.loads(await asyncio.wait_for(socket.recv(), 5)) == {"type": "chat", "message": message}
    assert (message["text"], message["filtered"]) == ("What a shit word", "What a **** word")
    assert message["player"] == {"id": ann.id, "name": ann.name}
    chat = await bob.get(f"/games/{game}/chat")
    assert (chat["messages"], chat["muted"]) == ([message], False)
    assert chat["open_until"] == (await bob.get(f"/games/{game}"))["closes_at"]


async def test_the_same_key_says_it_once(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    path = f"/games/{game}/chat"
    first = await ann.post(path, {"text": "hi"}, key="k")
    assert await ann.post(path, {"text": "hi"}, key="k") == first
    await ann.refused("key_reused", 409, "POST", path, {"text": "ho"}, key="k")
    await bob.post(path, {"text": "hi"}, key="k")
    await ann.post(path, {"text": "hi"})
    assert len((await ann.get(path))["messages"]) == 3


async def test_the_same_key_sent_at_once_says_it_once_and_is_answered_alike(ann: Player, bob: Player) -> None:
    path = f"/games/{await duel(ann, bob)}/chat"
    answers = await asyncio.gather(*(ann.post(path, {"text": "hi"}, key="k") for _ in range(6)))
    assert answers == [answers[0]] * 6
    sent = await asyncio.gather(*(ann.send("POST", path, {"text": text}, key="l") for text in ("one", "two")))
    assert sorted(answer.status_code for answer in sent) == [201, 409]
    assert len((await bob.get(path))["messages"]) == 2


async def test_a_key_of_long_ago_is_answered_as_then(ann: Player, bob: Player) -> None:
    """The stream itself knows a message only for two minutes: here by another name, so that it does not."""
    game = await duel(ann, bob)
    path = f"/games/{game}/chat"
    first = await ann.post(path, {"text": "hi"}, key="k")
    connection = await bus.connect(ann.service.settings, "test")
    chats = ChatStore(connection)
    [record] = await chats.read(game)
    await chats.remove(record.sequence)
    await chats.add(game, "another name", record.data, timedelta(hours=1))
    await connection.close()
    assert await ann.post(path, {"text": "hi"}, key="k") == first
    await ann.refused("key_reused", 409, "POST", path, {"text": "ho"}, key="k")
    assert (await bob.get(path))["messages"] == [first]


async def test_there_is_an_end_to_what_one_can_say(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    connection = await bus.connect(ann.service.settings, "test")
    chats, now = ChatStore(connection), clock()()
    for number in range(MOST):
        one = Said(id=str(number), by=ann.id, text="x", at=now, until=now + timedelta(hours=1))
        await chats.add(game, one.id, said.encode(one), timedelta(hours=1))
    await connection.close()
    await ann.refused("rate_limited", 429, "POST", f"/games/{game}/chat", {"text": "one more"})
    await bob.post(f"/games/{game}/chat", {"text": "at last"})


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b\u200d", "\u2028", "\x01"])
async def test_nothing_is_not_said(ann: Player, bob: Player, text: str) -> None:
    game = await duel(ann, bob)
    await ann.refused("chat_empty", 422, "POST", f"/games/{game}/chat", {"text": text})


async def test_500_characters_are_counted_in_their_composed_form(ann: Player, bob: Player) -> None:
    path = f"/games/{await duel(ann, bob)}/chat"
    assert (await ann.post(path, {"text": "e\u0301" * 500}))["text"] == "é" * 500
    await ann.post(path, {"text": "🙂" * 500})
    await ann.refused("chat_too_long", 422, "POST", path, {"text": "é" * 501})


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "&lt;b&gt;", '"},{"id":"x","name":null}', "\u202eevil", "'); drop table players;--"],
)
async def test_whatever_is_said_stays_text(ann: Player, bob: Player, text: str) -> None:
    game = await duel(ann, bob)
    answer = await ann.send("POST", f"/games/{game}/chat", {"text": text})
    assert answer.headers["content-type"] == "application/json"
    [message] = (await bob.get(f"/games/{game}/chat"))["messages"]
    assert (message["text"], message["filtered"]) == (text, text)


async def test_there_is_no_chat_before_the_other_has_come(ann: Player, bob: Player) -> None:
    invite = await ann.post("/invites", {"kind": "duel", "secret": "crepe"})
    path = f"/games/{invite['game']}/chat"
    assert await ann.get(path) == {"open_until": None, "messages": [], "muted": False}
    await ann.refused("chat_closed", 409, "POST", path, {"text": "hello?"})
    await bob.refused("not_a_player", 403, "POST", path, {"text": "hello?"})


async def test_chat_stays_open_after_the_end_of_play(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    await ann.post(f"/games/{game}/guesses", {"word": "sight"})
    view = await bob.post(f"/games/{game}/guesses", {"word": "crepe"})
    assert view["state"] == "finished"
    await bob.post(f"/games/{game}/chat", {"text": "gg"})
    assert (await ann.get(f"/games/{game}/chat"))["messages"][0]["text"] == "gg"


async def test_muting_is_each_players_own_choice(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    for muted in (True, True, False, True):
        assert await ann.post(f"/games/{game}/chat/mute", {"muted": muted}) == {"muted": muted}
        assert (await ann.get(f"/games/{game}/chat"))["muted"] is muted
    assert (await bob.get(f"/games/{game}/chat"))["muted"] is False


async def test_a_report_says_who_and_when_and_never_what(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    message = await ann.post(f"/games/{game}/chat", {"text": "an unkind word"})
    path = f"/games/{game}/chat/{message['id']}/report"
    for _ in range(2):
        answer = await bob.send("POST", path, {})
        assert (answer.status_code, answer.json()) == (202, {})
    [row] = await execute(bob.service, "select message, reporter, about from reports where game = %s", game)
    assert row == (message["id"], bob.id, ann.id)
    await ann.refused("unknown_message", 404, "POST", path, {})
    await bob.refused("unknown_message", 404, "POST", f"/games/{game}/chat/nonsense/report")


async def test_no_table_and_no_log_keeps_what_was_said(ann: Player, bob: Player, api_settings: Settings) -> None:
    game = await duel(ann, bob)
    message = await ann.post(f"/games/{game}/chat", {"text": "xyzzyplugh"}, key="k")
    await bob.send("POST", f"/games/{game}/chat/{message['id']}/report", {})
    assert ann.service.game is not None
    assert "xyzzyplugh" not in ann.service.api.lines() + ann.service.game.lines()
    for table in ("requests", "reports", "mutes", "mails", "games.games", "games.seats"):
        assert "xyzzyplugh" not in str(await execute(ann.service, f"select * from {table}"))  # noqa: S608
    await purge(api_settings, game)
    assert (await ann.get(f"/games/{game}/chat"))["messages"] == []


async def purge(settings: Settings, game: GameId) -> None:
    connection = await bus.connect(settings, "test")
    await ChatStore(connection).purge(game)
    await connection.close()
