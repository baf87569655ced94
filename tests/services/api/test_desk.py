"""The desk: operators alone, each act with who and why in the log, and its effects in the tables."""

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
import websockets
from msgspec.structs import replace

from libs.runtime import bus, ids
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.projections import Moderation
from tests.services.api.conftest import NewPlayer
from tests.services.api.operating import WHY, reported, told
from tests.services.api.player import Player, duel, execute, link_token
from tests.services.api.service import Service, running
from tests.until import until


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


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


async def test_an_operator_who_was_closed_acts_no_more_even_before_the_session_has_ended(otto: Player) -> None:
    close = "insert into moderation.players values (gen_random_uuid(), %s, false, null, true, null)"
    await execute(otto.service, close, otto.id)
    try:
        answer = await otto.send("GET", "/desk/reports")
    finally:
        await execute(otto.service, "delete from moderation.players where player = %s", otto.id)
    assert answer.json()["code"] in ("not_an_operator", "unauthorized")


@pytest.mark.parametrize(
    "body",
    [
        {}, {"why": ""}, {"why": " "}, {"why": "a\nb"}, {"why": "a\u2028b"}, {"why": "a\x85b"}, {"why": "x" * 201},
        {"why": 1},
    ],
)  # fmt: skip
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
    name = f"Rude {int.from_bytes(ids.seed()[:3])}"
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
    own = f"Kind {int.from_bytes(ids.seed()[:3])}"
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


async def test_operators_do_not_close_their_own_account(olga: Player, otto: Player) -> None:
    await olga.refused("own_account", 409, "POST", f"/desk/players/{olga.id}/close", WHY)
    assert await told(olga.service.settings, olga.id) == []
    assert (await olga.get(f"/desk/players/{olga.id}"))["closed"] is False
    assert (await otto.post(f"/desk/players/{olga.id}/close", WHY))["closed"] is True
    await otto.post(f"/desk/players/{olga.id}/reopen", {"why": "a test"})


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


async def test_a_report_has_the_text_of_its_own_game(olga: Player, ann: Player, bob: Player, eve: Player) -> None:
    """The same key makes the same id of a message in each game."""
    said = {}
    for other, text in ((bob, "an unkind word"), (eve, "another one")):
        game = await duel(ann, other)
        message = await ann.post(f"/games/{game}/chat", {"text": text}, key="k")
        await other.send("POST", f"/games/{game}/chat/{message['id']}/report", {})
        said[game] = text
    found = (await olga.get("/desk/reports?state=open"))["reports"]
    assert {one["game"]: one["text"] for one in found if one["game"] in said} == said


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


async def pages(olga: Player, ann: Player, bob: Player, apart: str) -> list[str]:
    """The messages of 120 reports that bob has made of ann's, so far apart, as the pages name them."""
    await execute(
        ann.service,
        f"""insert into reports select gen_random_uuid(), 'page-' || n, '{bob.id}', '{ann.id}',
        '2026-01-01T00:00:00.000001Z'::timestamptz + n * interval '{apart}' from generate_series(101, 220) n""",  # noqa: S608
    )
    found, cursor = [], ""
    while cursor is not None:
        page = await olga.get(f"/desk/reports?cursor={cursor}")
        found += [one["message"] for one in page["reports"] if one["reporter"]["id"] == bob.id]
        cursor = page["next"]
    return found


async def test_pages_of_reports_follow_each_other_without_gaps(olga: Player, ann: Player, bob: Player) -> None:
    assert await pages(olga, ann, bob, "1 second") == [f"page-{n}" for n in range(220, 100, -1)]


async def test_reports_of_one_instant_are_each_on_one_page(olga: Player, ann: Player, bob: Player) -> None:
    assert sorted(await pages(olga, ann, bob, "0")) == [f"page-{n}" for n in range(101, 221)]


@pytest.mark.parametrize("cursor", ["nonsense", "kA", "%C3%A9"])
async def test_a_cursor_that_is_none_is_refused(olga: Player, cursor: str) -> None:
    problem = await olga.refused("malformed", 400, "GET", f"/desk/reports?cursor={cursor}")
    assert problem["where"] == "cursor"


@pytest.mark.parametrize(("game", "message"), [("nonsense", "x"), ("01a22cb0-f9fa-7735-80d4-fe52391ee522", "x")])
async def test_a_report_that_never_was_is_not_decided(olga: Player, game: str, message: str) -> None:
    body = {"upheld": True, **WHY}
    await olga.refused("unknown_report", 404, "POST", f"/desk/reports/{game}/{message}", body)


async def test_who_was_never_here_is_not_known(olga: Player) -> None:
    for player in (ids.new_id(), "nonsense"):
        await olga.refused("unknown_player", 404, "GET", f"/desk/players/{player}")
        await olga.refused("unknown_player", 404, "POST", f"/desk/players/{player}/close", WHY)
