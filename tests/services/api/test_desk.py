"""The desk: operators alone, each act with who and why in the log, its effects in the tables, and no secret shown."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import websockets
from msgspec.structs import replace

from libs.runtime import bus, ids
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.audit import audit_game
from services.game.projections import Moderation
from services.game.snapshot import snapshot
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute, link_token
from tests.services.api.service import Service, running
from tests.until import until

OLGA, OTTO = "olga@desk.example", "otto@desk.example"
WHY = {"why": "insults"}


@pytest.fixture(scope="module")
def desk(api_settings: Settings, service: Service) -> Iterator[Service]:
    """A copy of the api that has a desk."""
    with running(replace(api_settings, operators=(" Olga@desk.example", OTTO)), game=False) as copy:
        yield copy


@pytest.fixture
async def olga(desk: Service) -> AsyncIterator[Player]:
    """An operator."""
    async with Player(desk) as olga:
        yield await olga.sign_in(OLGA)


@pytest.fixture
async def otto(desk: Service) -> AsyncIterator[Player]:
    """Another operator."""
    async with Player(desk) as otto:
        yield await otto.sign_in(OTTO)


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


async def told(settings: Settings, player: str) -> list[dict[str, Any]]:
    """What the log tells of a player."""
    connection = await bus.connect(settings, "test")
    try:
        records = await Log(connection).load(player)
    finally:
        await connection.close()
    return [event for record in records for event in json.loads(record.data)["events"]]


async def reported(ann: Player, bob: Player, text: str = "an unkind word") -> tuple[str, str]:
    """Bob has reported what ann said: the game and the message."""
    game = await duel(ann, bob)
    message = await ann.post(f"/games/{game}/chat", {"text": text})
    assert (await bob.send("POST", f"/games/{game}/chat/{message['id']}/report", {})).status_code == 202
    return game, message["id"]


# who may


ROUTES = [
    ("GET", "/desk/reports", None),
    ("GET", "/desk/players/{id}", None),
    *(("POST", f"/desk/players/{{id}}/{act}", WHY) for act in ("mute", "unmute", "rename", "close", "reopen")),
    ("POST", "/desk/reports/{id}/{id}", {"upheld": True, **WHY}),
    ("POST", "/desk/lookups", {"game": "{id}", "player_id": "{id}", **WHY}),
]


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
async def test_the_desk_is_for_operators_alone(
    method: str, path: str, body: Any, desk: Service, olga: Player, ann: Player, player: NewPlayer, email: str
) -> None:
    path = path.replace("{id}", ann.id)
    await ann.refused("not_found", 404, method, path, body)  # without operators there is no desk
    for one in (ann, nobody := player()):
        one.move_to(desk)
        await one.refused("unauthorized", 401, method, path, body)
    await nobody.sign_in(email)
    await nobody.refused("not_an_operator", 403, method, path, body)
    token = (await olga.post("/me/tokens", {"label": "bot", "scopes": ["read", "play"]}))["token"]
    bot = player()
    bot.move_to(desk)
    bot.token = token
    await bot.refused("scope", 403, method, path, body)


@pytest.mark.parametrize(("method", "path", "body"), [route for route in ROUTES if route[0] == "POST"])
async def test_only_our_own_page_acts(method: str, path: str, body: Any, olga: Player, ann: Player) -> None:
    path = path.replace("{id}", ann.id)
    await olga.refused("csrf", 403, method, path, body, X_CSRF_Token="")
    await olga.refused("csrf", 403, method, path, body, Origin="https://evil.example")
    assert await told(olga.service.settings, ann.id) == []


async def test_an_account_can_be_named_by_its_id(api_settings: Settings, player: NewPlayer, email: str) -> None:
    account = await player().sign_in(email)
    with running(replace(api_settings, operators=(account.id,)), game=False) as copy:
        account.move_to(copy)
        assert await account.get("/desk/reports?state=open") is not None


@pytest.mark.parametrize("body", [{}, {"why": ""}, {"why": " "}, {"why": "a\nb"}, {"why": "x" * 201}, {"why": 1}])
async def test_nothing_is_done_without_a_reason(olga: Player, ann: Player, body: Any) -> None:
    await olga.refused("malformed", 400, "POST", f"/desk/players/{ann.id}/close", body)
    assert await told(olga.service.settings, ann.id) == []


# muting


async def test_a_muted_player_writes_in_no_chat_until_the_time_is_over(
    olga: Player, ann: Player, bob: Player, eve: Player
) -> None:
    games = [await duel(ann, bob), await duel(eve, ann)]
    standing = await olga.post(f"/desk/players/{ann.id}/mute", {**WHY, "seconds": 3600})
    assert (standing["muted"], standing["closed"], standing["player"]["id"]) == (True, False, ann.id)
    until_ = datetime.fromisoformat(standing["muted_until"])
    [event] = await told(olga.service.settings, ann.id)
    assert until_ - datetime.fromisoformat(event["at"]) == timedelta(hours=1)
    assert {"type": "muted", "by": olga.id, "player": ann.id, **WHY}.items() <= event.items()
    for game in games:
        problem = await ann.refused("muted", 403, "POST", f"/games/{game}/chat", {"text": "hello"})
        assert datetime.fromisoformat(problem["until"]) == until_
    await bob.post(f"/games/{games[0]}/chat", {"text": "hello"})
    await execute(ann.service, "update moderation.players set muted_until = now() where player = %s", ann.id)
    await ann.post(f"/games/{games[0]}/chat", {"text": "hello"})
    assert (await olga.get(f"/desk/players/{ann.id}"))["muted"] is False


async def test_a_mute_for_good_is_taken_back(olga: Player, ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    standing = await olga.post(f"/desk/players/{ann.id}/mute", WHY)
    assert (standing["muted"], standing["muted_until"]) == (True, None)
    problem = await ann.refused("muted", 403, "POST", f"/games/{game}/chat", {"text": "hello"})
    assert problem["until"] is None
    await ann.post(f"/games/{game}/guesses", {"word": "allot"})
    standing = await olga.post(f"/desk/players/{ann.id}/unmute", {"why": "has apologized"})
    assert [(one["what"], one["why"], one["by"]["id"]) for one in standing["actions"]] == [
        ("unmuted", "has apologized", olga.id),
        ("muted", "insults", olga.id),
    ]
    await ann.post(f"/games/{game}/chat", {"text": "hello"})


async def test_a_muted_guest_does_not_sign_the_mute_away(olga: Player, ann: Player, bob: Player, email: str) -> None:
    await olga.post(f"/desk/players/{ann.id}/mute", WHY)
    guest = ann.id
    async with Player(ann.service) as other:
        await other.sign_in(email)
        await ann.sign_in(email)  # the guest is a part of the other account now
        assert ann.id == other.id != guest
        game = await duel(ann, bob)
        await ann.refused("muted", 403, "POST", f"/games/{game}/chat", {"text": "hello"})
        assert (await olga.get(f"/desk/players/{guest}"))["player"]["id"] == ann.id
        assert (await olga.get(f"/desk/players/{ann.id}"))["muted"] is True


# names


async def test_a_name_is_taken_and_another_one_chosen(
    olga: Player, ann: Player, bob: Player, email: str, api_settings: Settings
) -> None:
    await ann.sign_in(email)
    name = f"Rude {ids.seed().hex()[:6]}"
    await ann.send("PATCH", "/me", {"name": name})
    game = await duel(ann, bob)
    assert (await bob.get(f"/games/{game}"))["opponent"]["player"]["name"] == name
    standing = await olga.post(f"/desk/players/{ann.id}/rename", {"why": "crude name"})
    generated = standing["player"]["name"]
    assert generated.startswith("Guest ")

    async def seen() -> bool:
        return bool((await bob.get(f"/games/{game}"))["opponent"]["player"]["name"] == generated)

    await until(seen, 5)
    events = await told(api_settings, ann.id)
    assert [event["type"] for event in events if "by" in event] == ["renamed"]
    assert name not in json.dumps(events)
    own = f"Kind {ids.seed().hex()[:6]}"
    assert (await ann.send("PATCH", "/me", {"name": own})).status_code == 200
    connection = await bus.connect(api_settings, "test")
    await rebuild.rebuild(api_settings.postgres_url, Log(connection), Moderation, lambda *_: None)
    await connection.close()
    await olga.post(f"/desk/players/{bob.id}/mute", WHY)  # what follows from the tables is looked at again
    assert (await ann.get("/me"))["player"]["name"] == own


# closing


async def test_a_closed_account_is_out_everywhere_and_signs_in_no_more(
    olga: Player, ann: Player, bob: Player, player: NewPlayer, email: str
) -> None:
    await ann.sign_in(email)
    game = await duel(ann, bob)
    bot = player()
    bot.token = (await ann.post("/me/tokens", {"label": "bot"}))["token"]
    invite = (await ann.post("/invites", {"kind": "duel", "secret": "crepe"}))["token"]
    async with ann.live(game) as socket:
        await socket.recv()
        standing = await olga.post(f"/desk/players/{ann.id}/close", WHY)
        assert standing["closed"] is True
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001
    await bot.refused("unauthorized", 401, "GET", "/games")
    assert (await ann.get("/me"))["player"] is None
    other = player()
    await other.post("/sign-in/email", {"email": email})
    token = await link_token(other.service, email)
    await other.refused("account_closed", 403, "POST", "/sign-in/confirm", {"token": token})
    await bob.refused("player_unavailable", 409, "POST", f"/invites/{invite}/accept", {"secret": "sight"})
    await bob.post(f"/games/{game}/guesses", {"word": "crepe"})
    standing = await olga.post(f"/desk/players/{ann.id}/reopen", {"why": "mistaken"})
    assert standing["closed"] is False
    await other.post("/sign-in/confirm", {"token": token})
    assert (await other.get("/me"))["player"]["id"] == ann.id
    assert (await other.get(f"/games/{game}"))["opponent"]["solved"] is True


async def test_who_gets_in_while_the_tables_lag_is_out_soon(olga: Player, ann: Player, email: str) -> None:
    await ann.sign_in(email)
    await olga.post(f"/desk/players/{ann.id}/close", WHY)
    session = ids.new_id()
    query = "insert into sessions (id, player, made_at, seen_on) values (%s, %s, now(), now())"
    await execute(ann.service, query, session, ann.id)

    async def ended() -> Any:
        return await execute(ann.service, "select 1 from sessions where id = %s and ended_at is not null", session)

    await until(ended, 10)


# reports


async def test_reports_are_listed_with_their_text_while_the_chat_is_there(
    olga: Player, ann: Player, bob: Player
) -> None:
    game, message = await reported(ann, bob)

    async def listed() -> Any:
        found = (await olga.get("/desk/reports?state=open"))["reports"]
        return next(one for one in found if one["message"] == message)

    report = await listed()
    assert (report["game"], report["text"], report["decision"]) == (game, "an unkind word", None)
    assert (report["reporter"]["id"], report["about"]) == (bob.id, {"id": ann.id, "name": ann.name})
    assert datetime.fromisoformat(report["reported_at"]).tzinfo is not None
    connection = await bus.connect(olga.service.settings, "test")
    await connection.jetstream().purge_stream("CHAT", subject=f"chat.{game}")
    await connection.close()
    assert (await listed())["text"] is None


async def test_a_report_is_decided_once_with_a_note(olga: Player, otto: Player, ann: Player, bob: Player) -> None:
    game, message = await reported(ann, bob)
    path = f"/desk/reports/{game}/{message}"
    report = await olga.post(path, {"upheld": True, "why": "plain insult"}, key="k")
    decision = report["decision"]
    assert (decision["by"]["id"], decision["upheld"], decision["why"]) == (olga.id, True, "plain insult")
    assert await olga.post(path, {"upheld": True, "why": "plain insult"}, key="k") == report
    await olga.refused("key_reused", 409, "POST", path, {"upheld": False, "why": "plain insult"}, key="k")
    await otto.refused("report_decided", 409, "POST", path, {"upheld": False, "why": "harmless"})
    decided = [one["message"] for one in (await otto.get("/desk/reports?state=decided"))["reports"]]
    open_ = [one["message"] for one in (await otto.get("/desk/reports?state=open"))["reports"]]
    assert (decided.count(message), open_.count(message)) == (1, 0)
    [event] = await told(olga.service.settings, ann.id)
    assert {"type": "report_decided", "in_game": game, "message": message, "upheld": True}.items() <= event.items()
    assert "an unkind word" not in json.dumps(event)


async def test_of_two_operators_who_decide_at_once_one_does(
    olga: Player, otto: Player, ann: Player, bob: Player
) -> None:
    game, message = await reported(ann, bob)
    path = f"/desk/reports/{game}/{message}"
    answers = await asyncio.gather(
        *(one.send("POST", path, {"upheld": one is olga, "why": "at once"}) for one in (olga, otto) * 3)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409, 409]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"report_decided"}
    assert len(await told(olga.service.settings, ann.id)) == 1


async def test_pages_of_reports_follow_each_other_without_gaps(olga: Player, ann: Player, bob: Player) -> None:
    await execute(
        ann.service,
        f"""insert into reports select gen_random_uuid(), 'page-' || n, '{bob.id}', '{ann.id}',
        '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 second' from generate_series(1, 120) n""",  # noqa: S608
    )
    found, before = [], "2026-01-02T00:00:00Z"
    while before:
        page = await olga.get(f"/desk/reports?before={before.replace('+', '%2B')}")
        found += [one["message"] for one in page["reports"]]
        before = page["next"]
    assert found == [f"page-{n}" for n in range(120, 0, -1)]


@pytest.mark.parametrize(("game", "message"), [("nonsense", "x"), (ids.new_id(), "x")])
async def test_a_report_that_never_was_is_not_decided(olga: Player, game: str, message: str) -> None:
    body = {"upheld": True, **WHY}
    await olga.refused("unknown_report", 404, "POST", f"/desk/reports/{game}/{message}", body)


async def test_who_was_never_here_is_not_known(olga: Player) -> None:
    for player in (ids.new_id(), "nonsense"):
        await olga.refused("unknown_player", 404, "GET", f"/desk/players/{player}")
        await olga.refused("unknown_player", 404, "POST", f"/desk/players/{player}/close", WHY)


# looking up


async def test_a_game_is_shown_as_each_player_saw_it_and_no_more(olga: Player, ann: Player, bob: Player) -> None:
    game = await duel(ann, bob, ("crepe", "sight"))
    seen: dict[tuple[str, int], Any] = {}

    async def keep() -> None:
        for one in (ann, bob):
            view = await one.get(f"/games/{game}")
            seen[one.id, view["version"]] = view

    await keep()
    for one, word in ((ann, "allot"), (bob, "banal"), (ann, "night")):
        await one.post(f"/games/{game}/guesses", {"word": word})
        await keep()
    for (player, version), view in seen.items():
        body = {"game": game, "player_id": player, "version": version, "why": "a report"}
        found = await olga.post("/desk/lookups", body)
        assert (found["view"], found["version"], found["versions"], found["kind"]) == (view, version, 5, "duel")
    mine = [json.loads(text) for text in olga.heard if '"view"' in text]
    hers = json.dumps([one["view"] for one in mine if one["player"]["id"] == ann.id])
    his = json.dumps([one["view"] for one in mine if one["player"]["id"] == bob.id])
    assert not {word for word in ("sight", "banal") if word in hers}, "what ann could not see"
    assert not {word for word in ("crepe", "allot", "night") if word in his}, "what bob could not see"
    [*_, last] = await told(olga.service.settings, ann.id)
    assert {
        "type": "looked_up",
        "by": olga.id,
        "in_game": game,
        "version": 5,
        "why": "a report",
    }.items() <= last.items()
    text = json.dumps(await told(olga.service.settings, ann.id) + await told(olga.service.settings, bob.id))
    assert not {word for word in ("crepe", "sight", "allot", "banal", "night") if word in text}


async def test_a_look_up_that_is_refused_shows_nothing(olga: Player, ann: Player, bob: Player, eve: Player) -> None:
    game = await duel(ann, bob)
    asked = {"game": game, "player_id": ann.id, **WHY}
    for change, code, status in (
        ({"player_id": eve.id}, "not_a_player", 403),
        ({"player_id": olga.id}, "not_a_player", 403),
        ({"version": 3}, "unknown_version", 404),
        ({"version": 0}, "malformed", 400),
        ({"game": ids.new_id()}, "unknown_game", 404),
        ({"game": "nonsense"}, "unknown_game", 404),
        ({"game": ann.id}, "unknown_game", 404),
    ):
        await olga.refused(code, status, "POST", "/desk/lookups", {**asked, **change})
    own = {**asked, "player_id": bob.id, "version": 1}
    await olga.refused("not_a_player", 403, "POST", "/desk/lookups", own)  # bob had not come yet
    assert await told(olga.service.settings, ann.id) == []


async def test_an_operator_who_plays_waits_for_the_end(olga: Player, ann: Player) -> None:
    game = await duel(ann, olga, ("crepe", "sight"))
    asked = {"game": game, "player_id": ann.id, **WHY}
    await olga.refused("not_ended", 409, "POST", "/desk/lookups", asked)
    await ann.post(f"/games/{game}/guesses", {"word": "sight"})
    await olga.post(f"/games/{game}/guesses", {"word": "crepe"})
    assert (await olga.post("/desk/lookups", asked))["view"]["state"] == "finished"


# the log


async def test_audit_and_replay_cover_what_operators_do(
    olga: Player, ann: Player, bob: Player, api_settings: Settings
) -> None:
    game, message = await reported(ann, bob)
    await olga.post(f"/desk/reports/{game}/{message}", {"upheld": True, **WHY})
    for act in ("mute", "unmute", "rename", "close", "reopen"):
        await olga.post(f"/desk/players/{ann.id}/{act}", WHY)
    await olga.post("/desk/lookups", {"game": game, "player_id": ann.id, **WHY})
    url = api_settings.postgres_url
    connection = await bus.connect(api_settings, "test")
    log = Log(connection)
    try:
        async with snapshot(url) as tables:
            examined = await audit_game(log, tables, ann.id)
        assert (len(examined.history), examined.problems) == (7, [])
        assert await rebuild.check(url, log, Moderation, lambda *_: None) == []
        await execute(ann.service, "update moderation.players set closed = true where player = %s", ann.id)
        await execute(ann.service, "delete from moderation.actions where in_game = %s and version is null", game)
        async with snapshot(url) as tables:
            problems = (await audit_game(log, tables, ann.id)).problems
        assert problems[0] == f"moderation.players ({ann.id}): closed is True and must be False"
        assert problems[1].endswith("there is no such row")
        assert len(await rebuild.check(url, log, Moderation, lambda *_: None)) == 2
        await rebuild.rebuild(url, log, Moderation, lambda *_: None)
        assert await rebuild.check(url, log, Moderation, lambda *_: None) == []
    finally:
        await connection.close()


async def test_the_account_learns_what_was_done_and_not_by_whom(olga: Player, ann: Player, email: str) -> None:
    await ann.sign_in(email)
    await olga.post(f"/desk/players/{ann.id}/mute", WHY)
    export = await ann.send("GET", "/me/export")
    [one] = export.json()["moderation"]
    assert (one["what"], one["why"]) == ("muted", "insults")
    assert olga.id not in export.text


async def test_reasons_and_addresses_stay_out_of_the_log_lines(olga: Player, ann: Player) -> None:
    await olga.post(f"/desk/players/{ann.id}/mute", {"why": "zyzzyva reason"})
    lines = olga.service.api.lines() + (ann.service.game.lines() if ann.service.game else "")
    assert "zyzzyva" not in lines
    assert OLGA not in lines
