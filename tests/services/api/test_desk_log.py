"""Games looked up at the desk: no more than the player saw; and what the log keeps of whatever operators do."""

import json
from typing import Any

import pytest

from libs.runtime import bus, ids
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.audit import audit_game
from services.game.projections import Moderation
from services.game.snapshot import snapshot
from tests.services.api.operating import OLGA, WHY, reported, told
from tests.services.api.player import Player, duel, execute
from tests.services.api.test_daily import guess
from tests.services.api.test_daily import word as daily_word


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


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


async def test_todays_daily_is_shown_to_no_operator(olga: Player, ann: Player) -> None:
    """Its word is everybody's, the operator's too."""
    view = await guess(ann, daily_word())
    asked = {"game": view["id"], "player_id": ann.id, **WHY}
    await olga.refused("not_ended", 409, "POST", "/desk/lookups", asked)
    assert daily_word() not in "".join(olga.heard)
    assert await told(olga.service.settings, ann.id) == []


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
