"""Where somebody is signed in, and signing out there."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
import websockets
from msgspec.structs import replace

from libs.runtime import ids
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from services.api.accounts.devices import Device, device
from services.api.accounts.ended import Ended
from services.api.accounts.seen import Seen
from services.api.accounts.sessions import LIFETIME, TOKEN_LIFETIME
from services.api.database import Database
from services.api.nats_link import NatsLink
from services.api.news import Board
from tests import servers
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute
from tests.services.api.service import running
from tests.until import until

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


def today() -> str:
    return datetime.now(UTC).date().isoformat()


@pytest.mark.parametrize(
    ("header", "browser", "system"),
    [
        (FIREFOX, "Firefox", "Linux"),
        (SAFARI, "Safari", "iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
         "Safari/537.36 Edg/140.0.0.0", "Edge", "Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
         "Safari/537.36", "Chrome", "macOS"),
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 "
         "Chrome/130.0.0.0 Mobile Safari/537.36", "Samsung Internet", "Android"),
        ("Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 "
         "Mobile/15E148 Safari/604.1", "Chrome", "iPad"),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
         "Safari/537.36 OPR/120.0.0.0", "Opera", "ChromeOS"),
        ("Mozilla/5.0", None, None), ("python-httpx/0.28.1", None, None), ("", None, None), ("\xff\x00<b>", None, None),
    ],
)  # fmt: skip
def test_a_device_is_told_in_plain_words(header: str, browser: str | None, system: str | None) -> None:
    assert device(header.encode("latin-1")) == Device(browser, system)


async def test_sessions_are_listed_with_device_and_days(player: NewPlayer, email: str) -> None:
    one, other = player(), player()
    one.http.headers["user-agent"], other.http.headers["user-agent"] = FIREFOX, SAFARI
    await one.sign_in(email)
    await other.sign_in(email)
    listed = (await one.get("/me/sessions"))["sessions"]
    assert [{**session, "id": ""} for session in listed] == [
        {"id": "", "browser": "Safari", "system": "iPhone", "first_seen": today(), "last_seen": today(),
         "current": False},
        {"id": "", "browser": "Firefox", "system": "Linux", "first_seen": today(), "last_seen": today(),
         "current": True},
    ]  # fmt: skip
    rows = await execute(one.service, "select * from sessions where player = %s", one.id)
    assert "Mozilla" not in str(rows)


async def test_a_session_that_is_ended_is_over_there_at_once(player: NewPlayer, bob: Player, email: str) -> None:
    one, other = await player().sign_in(email), await player().sign_in(email)
    game = await duel(other, bob)
    async with other.live(game) as socket, bob.live(game) as others:
        await socket.recv()
        await others.recv()
        [theirs] = [s["id"] for s in (await one.get("/me/sessions"))["sessions"] if not s["current"]]
        assert (await one.send("DELETE", f"/me/sessions/{theirs}")).status_code == 204
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001
        await one.post(f"/games/{game}/guesses", {"word": "allot"})
        assert await asyncio.wait_for(others.recv(), 5)
    await other.refused("unauthorized", 401, "GET", "/games")
    await one.refused("not_found", 404, "DELETE", f"/me/sessions/{theirs}")
    assert [s["current"] for s in (await one.get("/me/sessions"))["sessions"]] == [True]


async def test_all_others_are_ended_and_this_one_stays(player: NewPlayer, email: str) -> None:
    one, *others = [await player().sign_in(email) for _ in range(3)]
    program = player()
    program.token = (await one.post("/me/tokens", {"label": "bot"}))["token"]
    assert (await one.send("DELETE", "/me/sessions")).status_code == 204
    for other in others:
        assert (await other.get("/me"))["player"] is None
    assert len((await one.get("/me/sessions"))["sessions"]) == 1
    assert (await program.get("/me"))["player"]["id"] == one.id


async def test_ending_this_one_is_signing_out(player: NewPlayer, email: str) -> None:
    one = await player().sign_in(email)
    [mine] = (await one.get("/me/sessions"))["sessions"]
    answer = await one.send("DELETE", f"/me/sessions/{mine['id']}")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert (await one.get("/me"))["player"] is None


async def test_nobody_sees_or_ends_the_sessions_of_others(ann: Player, bob: Player, player: NewPlayer) -> None:
    await player().refused("unauthorized", 401, "GET", "/me/sessions")
    [hers] = (await ann.get("/me/sessions"))["sessions"]
    await bob.refused("not_found", 404, "DELETE", f"/me/sessions/{hers['id']}")
    await bob.refused("not_found", 404, "DELETE", "/me/sessions/nothing")
    assert (await ann.get("/me"))["player"]["id"] == ann.id


async def test_the_day_of_the_last_use_is_written(ann: Player) -> None:
    await execute(ann.service, "update sessions set seen_on = current_date - 100 where player = %s", ann.id)

    async def seen_on() -> str:
        [(day,)] = await execute(ann.service, "select seen_on from sessions where player = %s", ann.id)
        return str(day)

    async def written() -> bool:
        await ann.get("/me")
        return await seen_on() == today()

    assert await seen_on() != today()
    assert (await ann.get("/me/sessions"))["sessions"][0]["last_seen"] == today()
    await until(written, 20)


async def test_days_go_forward_only(ann: Player) -> None:
    session = ids.new_id()
    await execute(
        ann.service,
        "insert into sessions (id, player, made_at, seen_on) values (%s, %s, now(), '2026-01-01')",
        session,
        ann.id,
    )
    database = Database(ann.service.settings)
    await database.open()
    seen, late = Seen(database), datetime(2026, 2, 3, 23, 59, tzinfo=UTC)
    for at, day in ((late, "2026-02-03"), (late + timedelta(minutes=1), "2026-02-04"), (late, "2026-02-04")):
        seen.note(session, at)
        await seen.write()
        [(found,)] = await execute(ann.service, "select seen_on from sessions where id = %s", session)
        assert found.isoformat() == day
    await database.close()


async def test_use_that_cannot_be_written_now_is_written_later(settings: Settings) -> None:
    with servers.postgres() as own:
        migrate(own.url)
        there = Settings(postgres_url=own.url)
        database = Database(there)
        await database.open()
        async with database.connection() as connection:
            await connection.execute("insert into players (id, guest, made_at) values ('p', true, now())")
            await connection.execute(
                "insert into sessions (id, player, made_at, seen_on) values ('s', 'p', now(), '2026-01-01')"
            )
        seen = Seen(database)
        seen.note("s", datetime(2026, 1, 2, tzinfo=UTC))
        own.stop()
        await seen.write()
        own.start()

        async def written() -> bool:
            await seen.write()
            try:
                return [row[0].day for row in await database.rows("select seen_on from sessions")] == [2]
            except Exception:
                return False

        await until(written, 20)
        await database.close()


async def test_what_has_ended_is_remembered_only_while_it_could_be_used(ann: Player, api_settings: Settings) -> None:
    clock = [datetime.now(UTC)]
    link = NatsLink(api_settings)
    database = Database(api_settings)
    await database.open()
    ended = Ended(database, Board(link), lambda: clock[0])
    assert not ended.known
    await execute(ann.service, "update sessions set ended_at = now() where player = %s", ann.id)
    [(session,)] = await execute(ann.service, "select id from sessions where player = %s", ann.id)
    await execute(
        ann.service,
        "insert into api_tokens (id, player, label, scopes, made_at, ended_at) values (%s, %s, '', '{}', now(), now())",
        token := ids.new_id(), ann.id,
    )  # fmt: skip
    await ended.learn()
    assert ended.known
    for left, remembered in (
        (LIFETIME - timedelta(days=1), [True, True]),
        (LIFETIME + timedelta(days=1), [False, True]),
        (TOKEN_LIFETIME - timedelta(days=1), [False, True]),
        (TOKEN_LIFETIME + timedelta(days=1), [False, False]),
    ):
        clock[0] = datetime.now(UTC) + left
        await ended.learn()
        assert [session in ended, token in ended] == remembered
    await database.close()


async def test_who_starts_without_postgres_lets_no_session_in_until_it_knows_which_have_ended(
    settings: Settings,
) -> None:
    with servers.postgres() as own:
        there = replace(settings, postgres_url=own.url)
        migrate(own.url)
        with running(there) as service:
            ann = await Player(service).enter()
            eve = await Player(service).enter()
            thief = ann.http.cookies["wordyard"]
            await ann.send("DELETE", "/session")
        own.stop()
        with running(there, game=False, ready=False) as service:
            ann.move_to(service)
            eve.move_to(service)
            ann.http.cookies.set("wordyard", thief)
            for one in (ann, eve):
                answer = await one.refused("starting", 503, "GET", "/me")
                assert answer["code"] == "starting"
                await one.refused("starting", 503, "POST", "/invites", {"kind": "duel", "secret": "crepe"})
                assert (await one.http.get("/")).status_code == 200
            assert (await Player(service).get("/me"))["player"] is None
            own.start()

            async def knows() -> bool:
                return (await eve.send("GET", "/me")).status_code == 200

            await until(knows, 20)
            assert (await eve.get("/me"))["player"]["id"] == eve.id
            assert (await ann.get("/me"))["player"] is None
        await ann.http.aclose()
        await eve.http.aclose()
