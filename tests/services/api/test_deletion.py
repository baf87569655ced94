"""Deleting an account: everything personal is gone at once, wherever it was, and the others keep their games."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
import websockets
from nats.js.errors import NotFoundError

from libs.runtime import bus, ids
from libs.runtime.settings import Settings
from services.api.accounts.erasing import erase
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute, mails_to, rivals
from tests.services.api.service import Service, running
from tests.services.solver.push_endpoint import Browser
from tests.until import until

TABLES = """
select table_schema || '.' || table_name from information_schema.tables
where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
"""


@pytest.fixture
def email() -> str:
    return f"zebulon.{ids.new_id()[-8:]}@example.org"


@pytest.fixture
def name() -> str:
    return f"Zebulon {ids.new_id()[-6:]}"


@pytest.fixture
async def ann(ann: Player, email: str, name: str) -> Player:
    """An account with a name that is nowhere else."""
    await ann.sign_in(email)
    await ann.send("PATCH", "/me", {"name": name})
    ann.name = name
    return ann


async def tables_with(service: Service, *texts: str) -> list[str]:
    """Tables in which one of these texts stands, in whatever form."""
    found = []
    for (table,) in await execute(service, TABLES):
        rows = str(await execute(service, f"select one::text from {table} one")).lower()  # noqa: S608
        if any(form in rows for text in texts for form in (text.lower(), text.lower().encode().hex())):
            found.append(table)
    return found


async def streams_with(settings: Settings, *texts: str) -> list[str]:
    """Subjects of all streams in whose messages one of these texts stands."""
    connection = await bus.connect(settings, "test")
    stream, found = connection.jetstream(), []
    for info in await stream.streams_info():
        for sequence in range(max(1, info.state.first_seq), info.state.last_seq + 1):
            try:
                message = await stream.get_msg(info.config.name, sequence)
            except NotFoundError:
                continue
            if any(text.lower() in str(message).lower() for text in texts):
                found.append(message.subject)
    await connection.close()
    return found


async def delete(player: Player, name: str = "") -> None:
    answer = await player.send("DELETE", "/me", {"name": name or player.name})
    assert answer.status_code == 204, answer.text
    assert "Max-Age=0" in answer.headers["set-cookie"]


async def test_no_table_queue_or_stream_keeps_name_or_address(
    ann: Player, bob: Player, player: NewPlayer, email: str, name: str, api_settings: Settings
) -> None:
    game = await duel(ann, bob)
    mine = "what zebulon wrote"
    await ann.post(f"/games/{game}/chat", {"text": mine})
    await bob.post(f"/games/{game}/chat", {"text": "what stays"})
    await ann.post("/invites", {"kind": "duel", "secret": "crepe", "email": "friend@example.org"})
    await player().post("/sign-in/email", {"email": email}, key="zk")
    await ann.post("/me/tokens", {"label": f"bot of {name}"}, key="tk")
    identity = "insert into identities values ('https://id.example', %s, %s, now())"
    await execute(ann.service, identity, f"sub of {name}", ann.id)

    async def folded() -> bool:
        return len((await ann.get("/games"))["games"]) == 2

    await until(folded, 20)
    before = await tables_with(ann.service, email, name)
    assert {"public.players", "public.mails", "public.sign_ins", "public.api_tokens", "public.identities"} <= set(
        before
    )
    assert await streams_with(api_settings, mine) == [f"chat.{game}"]
    [(mail,)] = await execute(
        ann.service, "select id::text from mails where recipient = 'friend@example.org' and %s = any(names)", ann.id
    )
    await delete(ann)
    assert await tables_with(ann.service, email, name) == []
    assert await streams_with(api_settings, email, name, mine) == []
    assert await execute(ann.service, "select 1 from dramatiq.queue where message_id = %s", mail) == []
    assert [one["text"] for one in (await bob.get(f"/games/{game}/chat"))["messages"]] == ["what stays"]
    assert email not in ann.service.api.lines()
    rows = await execute(ann.service, "select browser, system from sessions where player = %s", ann.id)
    assert rows == []


async def test_the_others_keep_their_games_with_a_deleted_player(ann: Player, bob: Player, email: str) -> None:
    await bob.sign_in(f"x{email}")
    await rivals(ann, bob)
    game = await duel(ann, bob)
    await ann.post(f"/games/{game}/guesses", {"word": "sight"})
    await bob.post(f"/games/{game}/guesses", {"word": "crepe"})
    audit = await bob.get(f"/games/{game}/audit")
    await delete(ann)
    gone = {"id": ann.id, "name": None}
    view = await bob.get(f"/games/{game}")
    assert (view["state"], view["opponent"]["player"]) == ("finished", gone)
    after = await bob.get(f"/games/{game}/audit")
    assert {**after, "players": []} == {**audit, "players": []}
    assert gone in after["players"]

    async def listed() -> Any:
        return [entry["opponent"]["player"] for entry in (await bob.get("/games"))["games"]]

    assert await until(listed, 20) == [gone]
    [rival] = (await bob.get("/rivals"))["rivals"]
    assert rival["player"] == gone


async def test_nobody_plays_or_talks_with_who_is_gone(ann: Player, bob: Player, eve: Player, email: str) -> None:
    await bob.sign_in(f"x{email}")
    await rivals(ann, bob)
    game = await duel(ann, eve)
    token = (await ann.post("/invites", {"kind": "duel", "secret": "crepe"}))["token"]
    waiting = (await bob.post("/duels", {"rival_id": ann.id, "secret": "crepe"}))["id"]

    async def folded() -> bool:
        return len((await ann.get("/games"))["games"]) == 3

    await until(folded, 20)
    await delete(ann)
    assert (await bob.get(f"/invites/{token}"))["state"] == "withdrawn"
    await bob.refused("invite_withdrawn", 410, "POST", f"/invites/{token}/accept", {"secret": "sight"})
    assert (await bob.get(f"/games/{waiting}"))["result"]["outcome"] == "not_counted"
    await bob.refused("player_unavailable", 409, "POST", "/duels", {"rival_id": ann.id, "secret": "crepe"})
    await eve.refused("player_unavailable", 409, "POST", f"/games/{game}/chat", {"text": "hello?"})
    await eve.refused("unknown_player", 404, "POST", "/blocks", {"player_id": ann.id})
    await eve.post(f"/games/{game}/guesses", {"word": "allot"})


async def test_every_session_and_token_is_over_at_once(ann: Player, bob: Player, player: NewPlayer, email: str) -> None:
    other, program = await player().sign_in(email), player()
    program.token = (await ann.post("/me/tokens", {"label": "bot"}))["token"]
    game = await duel(other, bob)
    cookie = ann.http.cookies["wordyard"]
    async with other.live(game) as socket:
        await socket.recv()
        await delete(ann)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001
    await program.refused("unauthorized", 401, "GET", "/games")
    assert (await other.get("/me"))["player"] is None
    ann.http.cookies.set("wordyard", cookie)
    assert (await ann.get("/me"))["player"] is None
    await ann.refused("unauthorized", 401, "GET", "/games")


async def test_what_was_ended_by_it_stays_so_in_a_copy_that_starts_later(ann: Player, api_settings: Settings) -> None:
    cookie = ann.http.cookies["wordyard"]
    await delete(ann)
    with running(api_settings, game=False, ready=False) as copy:
        ann.move_to(copy)
        ann.http.cookies.set("wordyard", cookie)
        assert (await ann.get("/me"))["player"] is None


async def test_the_address_and_the_name_are_free_again(
    ann: Player, bob: Player, player: NewPlayer, email: str, name: str
) -> None:
    await delete(ann)
    again = await player().sign_in(email)
    assert again.id != ann.id
    assert (await again.get("/games"))["games"] == []
    await bob.sign_in(f"x{email}")
    assert (await bob.send("PATCH", "/me", {"name": name})).status_code == 200


async def test_guests_that_the_account_has_been_go_too(ann: Player, bob: Player, player: NewPlayer, email: str) -> None:
    guest = await player().enter()
    game, id_, was = await duel(guest, bob), guest.id, guest.name
    await guest.post(f"/games/{game}/chat", {"text": "as a guest"})
    await guest.sign_in(email)

    async def folded() -> Any:
        return (await guest.get("/games"))["games"]

    await until(folded, 20)
    await delete(ann)
    assert await execute(ann.service, "select name, email, merged_into from players where id = %s", id_) == [
        (None, None, ann.id)
    ]
    assert (await bob.get(f"/games/{game}/chat"))["messages"] == []
    assert (await bob.get(f"/games/{game}"))["opponent"]["player"]["name"] is None
    assert was.startswith("Guest ")


@pytest.mark.parametrize("typed", ["", "zebulon", "Zebulon", "Somebody Else"])
async def test_without_the_very_name_nothing_happens(ann: Player, typed: str, email: str) -> None:
    await ann.refused("not_confirmed", 422, "DELETE", "/me", {"name": typed})
    assert (await ann.get("/me"))["email"] == email


async def test_only_our_own_page_and_tokens_for_accounts_may(
    ann: Player, bob: Player, player: NewPlayer, name: str
) -> None:
    await ann.refused("csrf", 403, "DELETE", "/me", {"name": name}, X_CSRF_Token="")
    await ann.refused("csrf", 403, "DELETE", "/me", {"name": name}, Origin="https://evil.example")
    await bob.refused("unauthorized", 401, "DELETE", "/me", {"name": bob.name})
    bot = player()
    bot.token = (await ann.post("/me/tokens", {"label": "bot", "scopes": ["read", "play"]}))["token"]
    await bot.refused("scope", 403, "DELETE", "/me", {"name": name})
    await ann.refused("malformed", 400, "DELETE", "/me")
    assert (await ann.get("/me"))["player"]["name"] == name


async def test_a_mail_that_is_just_being_sent_makes_it_wait_and_not_fail(ann: Player, email: str) -> None:
    await ann.post("/sign-in/email", {"email": email})
    url = ann.service.settings.postgres_url
    async with await psycopg.AsyncConnection.connect(url) as worker:
        await worker.execute("select 1 from mails where recipient = %s for update", (email,))
        await ann.refused("try_again", 503, "DELETE", "/me", {"name": ann.name})
        assert (await ann.get("/me"))["email"] == email
        await worker.rollback()
    await delete(ann)
    assert await mails_to(ann.service, email) == []


async def test_a_sign_in_that_is_under_way_makes_a_new_account(ann: Player, player: NewPlayer, email: str) -> None:
    other = player()
    await other.post("/sign-in/email", {"email": email})
    [(body,)] = await execute(
        ann.service, "select body from mails where recipient = %s order by made_at desc limit 1", email
    )
    token = body.split("/sign-in#")[1].split()[0]
    await delete(ann)
    await other.refused("sign_in_unknown", 404, "POST", "/sign-in/confirm", {"token": token})


async def test_what_is_under_way_when_an_account_is_deleted_leaves_nothing_behind(
    ann: Player, bob: Player, name: str, email: str
) -> None:
    game = await duel(ann, bob)
    asked: list[tuple[str, str, Any]] = [
        ("PATCH", "/me", {"name": name}),
        ("POST", "/me/tokens", {"label": "bot"}),
        ("PUT", "/me/notices", {"mail": ["last_hour"], "push": []}),
        ("POST", "/me/push", Browser(f"https://push.example.com/{ann.id}").json()),
        ("POST", "/blocks", {"player_id": bob.id}),
        ("POST", f"/games/{game}/chat/mute", {"muted": True}),
        ("POST", "/invites", {"kind": "duel", "secret": "crepe", "email": f"bob.{email}"}),
    ]
    async with await psycopg.AsyncConnection.connect(ann.service.settings.postgres_url) as deleter:
        await erase(deleter, ann.id, name, datetime.now(UTC))
        under_way = [asyncio.create_task(ann.send(*each)) for each in asked]
        await until(lambda: waiting_for_locks(ann.service, len(asked)))
        await deleter.commit()
    for each, answer in zip(asked, await asyncio.gather(*under_way), strict=True):
        assert (each, answer.status_code, answer.json()["code"]) == (each, 401, "unauthorized")
    assert await tables_with(ann.service, name, email) == []
    for table in ("api_tokens", "notice_choices", "push_subscriptions", "blocks", "mutes"):
        assert await execute(ann.service, f"select * from {table} where player = %s", ann.id) == []  # noqa: S608


async def test_what_is_said_while_the_session_ends_is_not_kept(ann: Player, bob: Player, player: NewPlayer) -> None:
    game, same = await duel(ann, bob), player()
    same.csrf = ann.csrf
    same.http.cookies.update(ann.http.cookies)
    async with await psycopg.AsyncConnection.connect(ann.service.settings.postgres_url) as other:
        await other.execute("lock table moderation.players in access exclusive mode")
        saying = asyncio.create_task(ann.send("POST", f"/games/{game}/chat", {"text": "one more thing"}))
        await until(lambda: waiting_for_locks(ann.service, 1))
        assert (await same.send("DELETE", "/session")).status_code == 204
    assert (await saying).json()["code"] == "unauthorized"
    assert (await bob.get(f"/games/{game}/chat"))["messages"] == []


async def waiting_for_locks(service: Service, least: int) -> bool:
    """Do so many connections to this database wait for a row that another one has locked?"""
    query = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    [(waiting,)] = await execute(service, query)
    return bool(waiting >= least)


async def test_deleting_twice_at_once_deletes_once(ann: Player, name: str) -> None:
    answers = await asyncio.gather(*(ann.send("DELETE", "/me", {"name": name}) for _ in range(3)))
    codes = [answer.status_code for answer in answers]
    assert codes.count(204) == 1, [json.loads(answer.content or "{}") for answer in answers]
    assert set(codes) <= {204, 401, 403, 422}
