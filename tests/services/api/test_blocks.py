"""Blocking: neither invites nor writes to the other, and the one who is blocked learns no more than that."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from libs.runtime import ids
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from services.api.accounts.blocks import MOST
from tests import servers
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute, rivals
from tests.services.api.service import running
from tests.until import until

INVITE = {"kind": "duel", "secret": "crepe"}


@pytest.fixture
async def ann(ann: Player) -> Player:
    """An account."""
    return await ann.sign_in(f"{ids.new_id()}@example.org")


@pytest.fixture
async def bob(bob: Player, ann: Player) -> Player:
    """A rival of hers."""
    await bob.sign_in(f"{ids.new_id()}@example.org")
    await rivals(ann, bob)
    return bob


async def block(one: Player, other: Player) -> Any:
    return await one.post("/blocks", {"player_id": other.id})


async def test_who_is_blocked_is_listed_until_it_is_taken_back(ann: Player, bob: Player, eve: Player) -> None:
    first = await block(ann, bob)
    assert first["player"] == {"id": bob.id, "name": bob.name}
    assert await block(ann, bob) == first
    await block(ann, eve)
    assert [one["player"]["id"] for one in (await ann.get("/blocks"))["blocks"]] == [eve.id, bob.id]
    assert (await bob.get("/blocks"))["blocks"] == []
    assert (await ann.send("DELETE", f"/blocks/{bob.id}")).status_code == 204
    await ann.refused("not_found", 404, "DELETE", f"/blocks/{bob.id}")
    assert [one["player"]["id"] for one in (await ann.get("/blocks"))["blocks"]] == [eve.id]


async def test_neither_starts_a_game_with_the_other(ann: Player, bob: Player) -> None:
    await block(ann, bob)
    codes = {
        await refusal(one, "/duels", {"rival_id": other.id, "secret": "crepe"})
        for one, other in ((ann, bob), (bob, ann))
    }
    assert codes == {'{"code":"player_unavailable","detail":"That is not possible with this player."}'}
    await ann.send("DELETE", f"/blocks/{bob.id}")
    await bob.post("/duels", {"rival_id": ann.id, "secret": "crepe"})


async def refusal(player: Player, path: str, body: Any) -> str:
    """All that a refusal says, beside what each of its kind says."""
    told = await player.refused("player_unavailable", 409, "POST", path, body)
    assert told.keys() == {"type", "title", "status", "code", "detail"}
    return f'{{"code":"{told["code"]}","detail":"{told["detail"]}"}}'


async def test_open_invites_between_the_two_cannot_be_taken_and_others_take_them(
    ann: Player, bob: Player, eve: Player
) -> None:
    hers, his = (await ann.post("/invites", INVITE))["token"], (await bob.post("/invites", INVITE))["token"]
    await block(ann, bob)
    for player, token in ((bob, hers), (ann, his)):
        await refusal(player, f"/invites/{token}/accept", {"secret": "sight"})
        assert (await player.get(f"/invites/{token}"))["state"] == "unavailable"
    for player, token in ((ann, hers), (bob, his), (eve, hers)):
        assert (await player.get(f"/invites/{token}"))["state"] == "open"
    assert (await eve.post(f"/invites/{hers}/accept", {"secret": "sight"}))["state"] == "playing"


async def test_an_invite_that_was_taken_before_is_answered_as_before(ann: Player, bob: Player) -> None:
    path = f"/invites/{(await ann.post('/invites', INVITE))['token']}/accept"
    first = await bob.post(path, {"secret": "sight"}, key="k")
    await block(ann, bob)
    assert await bob.post(path, {"secret": "sight"}, key="k") == first


@pytest.mark.parametrize("maker_blocks", [True, False])
async def test_todays_game_that_waits_for_a_word_ends_and_does_not_count(
    ann: Player, bob: Player, *, maker_blocks: bool
) -> None:
    game = (await ann.post("/duels", {"rival_id": bob.id, "secret": "crepe"}))["id"]
    await listed(ann, game, "waiting")
    await (block(ann, bob) if maker_blocks else block(bob, ann))
    for one in (ann, bob):
        view = await one.get(f"/games/{game}")
        assert (view["state"], view["result"]["outcome"]) == ("finished", "not_counted")
    await bob.refused("closed", 409, "POST", f"/games/{game}/secret", {"secret": "sight"})
    await refusal(bob, "/duels", {"rival_id": ann.id, "secret": "sight"})
    await listed(ann, game, "finished")


async def test_todays_game_that_could_not_be_ended_waits_in_vain(ann: Player, bob: Player) -> None:
    """As if the log had been away, or the tables too slow to name the game."""
    game = (await ann.post("/duels", {"rival_id": bob.id, "secret": "crepe"}))["id"]
    await execute(ann.service, "insert into blocks values (%s, %s, now())", ann.id, bob.id)
    await refusal(bob, f"/games/{game}/secret", {"secret": "sight"})
    assert (await ann.get(f"/games/{game}"))["state"] == "waiting"


async def listed(player: Player, game: str, state: str) -> None:
    """Wait until a list of games in this state has the game."""

    async def there() -> bool:
        return game in [entry["id"] for entry in (await player.get(f"/games?state={state}"))["games"]]

    await until(there)


async def test_a_game_that_is_on_goes_on_without_chat(ann: Player, bob: Player) -> None:
    game = await duel(ann, bob)
    await bob.post(f"/games/{game}/chat", {"text": "hello"})
    await block(ann, bob)
    async with ann.live(game) as socket:
        await socket.recv()
        for one in (ann, bob):
            await refusal(one, f"/games/{game}/chat", {"text": "still there?"})
        await bob.post(f"/games/{game}/guesses", {"word": "allot"})
        assert '"type":"view"' in str(await asyncio.wait_for(socket.recv(), 5))
    await ann.send("DELETE", f"/blocks/{bob.id}")
    await bob.post(f"/games/{game}/chat", {"text": "again"})


async def test_rivals_who_are_blocked_are_not_listed(ann: Player, bob: Player) -> None:
    await block(ann, bob)
    assert (await ann.get("/rivals"))["rivals"] == []
    assert [one["player"]["id"] for one in (await bob.get("/rivals"))["rivals"]] == [ann.id]
    await ann.send("DELETE", f"/blocks/{bob.id}")
    assert [one["player"]["id"] for one in (await ann.get("/rivals"))["rivals"]] == [bob.id]


async def test_a_guest_who_is_blocked_is_blocked_as_an_account(ann: Player, eve: Player, player: NewPlayer) -> None:
    email = f"{ids.new_id()}@example.org"
    account = await player().sign_in(email)
    game, guest = await duel(ann, eve), eve.id
    await block(ann, eve)
    await block(eve, ann)
    await eve.sign_in(email)
    assert (eve.id, guest != eve.id) == (account.id, True)
    for one in (eve, account):
        await refusal(one, f"/games/{game}/chat", {"text": "me again"})
    for one, other in ((ann, account), (account, ann)):
        assert [who["player"]["id"] for who in (await one.get("/blocks"))["blocks"]] == [other.id]
    assert (await block(ann, Known(guest)))["player"]["id"] == account.id  # type: ignore[arg-type]
    assert (await ann.send("DELETE", f"/blocks/{guest}")).status_code == 204
    await refusal(account, f"/games/{game}/chat", {"text": "she has not"})
    assert await execute(ann.service, "select 1 from blocks where player = %s or blocked = %s", guest, guest) == []


class Known:
    """Somebody of whom an id is known."""

    def __init__(self, id_: str) -> None:
        self.id = id_


async def test_an_account_that_has_blocked_its_own_guest_is_free_of_it(eve: Player, player: NewPlayer) -> None:
    email = f"{ids.new_id()}@example.org"
    account = await player().sign_in(email)
    await block(account, eve)
    await eve.sign_in(email)
    assert (await account.get("/blocks"))["blocks"] == []


async def test_nobody_blocks_themselves_or_nobody(ann: Player, player: NewPlayer) -> None:
    for other in (ann.id, "nobody", ""):
        await ann.refused("unknown_player", 404, "POST", "/blocks", {"player_id": other})
    await player().refused("unauthorized", 401, "GET", "/blocks")
    await player().refused("unauthorized", 401, "POST", "/blocks", {"player_id": ann.id})


async def test_there_is_an_end_to_blocking(ann: Player, bob: Player) -> None:
    await execute(
        ann.service,
        f"insert into blocks select '{ann.id}', 'p' || n, now() from generate_series(1, {MOST}) n",  # noqa: S608 - ours
    )
    await ann.refused("rate_limited", 429, "POST", "/blocks", {"player_id": bob.id})


async def test_while_postgres_is_away_pairs_that_were_met_are_known(settings: Settings) -> None:
    with servers.postgres() as own:
        migrate(own.url)
        with running(replace(settings, postgres_url=own.url)) as service:
            ann, bob, eve = [await Player(service).enter() for _ in range(3)]
            game, other = await duel(ann, bob), await duel(ann, eve)
            await block(ann, bob)
            await refusal(bob, f"/games/{game}/chat", {"text": "hello?"})
            own.stop()
            await refusal(bob, f"/games/{game}/chat", {"text": "hello?"})
            await eve.post(f"/games/{other}/chat", {"text": "hello"})
            for one in (ann, bob, eve):
                await one.http.aclose()
