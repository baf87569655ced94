"""Everything that is kept about an account, as one document."""

from datetime import UTC, datetime

import pytest

from libs.runtime import ids
from services.api.accounts.export import PAGE, SECTIONS
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute, rivals
from tests.services.api.service import Service
from tests.services.solver.push_endpoint import Browser
from tests.until import until


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


async def test_all_that_is_kept_is_in_it(ann: Player, bob: Player, eve: Player, player: NewPlayer, email: str) -> None:
    before = await duel(ann, bob)
    account = await player().sign_in(email)
    guest = ann.id
    await ann.sign_in(email)
    game = await duel(ann, bob)
    await rivals(ann, bob)
    for one, text in ((ann, "hello there"), (bob, "not hers")):
        await one.post(f"/games/{game}/chat", {"text": text})
    message = await bob.post(f"/games/{game}/chat", {"text": "rude"})
    await ann.send("POST", f"/games/{game}/chat/{message['id']}/report", {})
    await ann.post(f"/games/{game}/chat/mute", {"muted": True})
    await ann.post("/blocks", {"player_id": eve.id})
    made = await ann.post("/me/tokens", {"label": "my bot", "scopes": ["read"]})
    await ann.post("/sign-in/email", {"email": email})

    async def folded() -> bool:
        return len((await ann.get("/games"))["games"]) == 2

    await until(folded, 20)
    answer = await ann.send("GET", "/me/export")
    assert answer.headers["content-disposition"].startswith('attachment; filename="wordyard-')
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("application/json", "no-store")
    found = answer.json()
    assert {"exported_at", "profile", "chat", *SECTIONS} == found.keys()
    profile = {"id": account.id, "name": ann.name, "email": email, "guests": [guest], "filter": True}
    assert profile.items() <= found["profile"].items()
    assert {one["id"] for one in found["games"]} == {before, game}
    assert [(one["game"], one["text"]) for one in found["chat"]] == [(game, "hello there")]
    assert [one["player"] for one in found["blocks"]] == [eve.id]
    assert found["mutes"] == [{"game": game}]
    assert [(one["game"], one["about"]) for one in found["reports"]] == [(game, bob.id)]
    assert [(one["label"], one["scopes"]) for one in found["tokens"]] == [("my bot", ["read"])]
    assert [one["player"] for one in found["records"]] == [bob.id]
    assert len(found["sessions"]) == 2 + 1  # this one, the other browser's, and the guest's that has ended
    assert [mail["subject"] for mail in found["mails"]] == ["Sign in to Wordyard"] * 3
    assert datetime.fromisoformat(found["exported_at"]).tzinfo == UTC
    assert made["token"] not in answer.text
    assert answer.text.count("/sign-in#...") == 3
    assert "not hers" not in answer.text


ELSEWHERE = {
    "daily.joined": "guests in the profile",
    "results.joined": "guests in the profile",
    "public.joins": "guests in the profile",
    "moderation.players": "what follows from the list of what was done",
}
TABLES_OF_PLAYERS = """
select distinct table_schema, table_name from information_schema.columns
join information_schema.tables using (table_schema, table_name)
where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'dramatiq')
    and right(table_schema, 4) <> '_old'
    and (column_name in ('player', 'owner', 'account', 'reporter', 'recipient', 'person') or table_name = 'players')
"""


async def test_no_table_that_knows_players_is_left_out(service: Service) -> None:
    queries = " ".join(SECTIONS.values()).split()
    left_out = set()
    for schema, table in await execute(service, TABLES_OF_PLAYERS):
        if (table if schema == "public" else f"{schema}.{table}") not in queries:
            left_out.add(f"{schema}.{table}")
    assert left_out == ELSEWHERE.keys()


async def test_what_is_on_its_way_and_how_games_were_played_is_in_it(ann: Player, email: str) -> None:
    await ann.sign_in(email)
    browser = await ann.post("/me/push", Browser(f"https://push.example.com/{ann.id}").json())
    put = "insert into pushes values (%s, %s, %s, 'topic', '{}', now() + interval '1 hour', 0, now())"
    await execute(ann.service, put, ids.new_id(), browser["id"], '{"title": "Bob is done"}')
    review = "insert into reviews (game, player, rows, answer, made_at) values (%s, %s, %s, 'crepe', now())"
    await execute(ann.service, review, game := ids.new_id(), ann.id, '[["eerie", "RIRIC"]]')
    found = await ann.get("/me/export")
    assert [one["text"] for one in found["notices_on_the_way"]] == ['{"title": "Bob is done"}']
    assert [(one["game"], one["rows"], one["answer"]) for one in found["reviews"]] == [
        (game, [["eerie", "RIRIC"]], "crepe")
    ]


async def test_a_long_history_is_sent_page_by_page_and_whole(ann: Player, email: str) -> None:
    await ann.sign_in(email)
    games = 2 * PAGE + 1
    await execute(
        ann.service,
        "insert into mutes (player, game) select %s, gen_random_uuid() from generate_series(1, %s)",
        ann.id,
        games,
    )
    mutes = (await ann.get("/me/export"))["mutes"]
    assert (len(mutes), len({one["game"] for one in mutes})) == (games, games)


async def test_it_is_for_the_account_alone(ann: Player, player: NewPlayer) -> None:
    await ann.refused("unauthorized", 401, "GET", "/me/export")
    await player().refused("unauthorized", 401, "GET", "/me/export")
