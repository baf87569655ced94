"""Rivals and today's game with them."""

import asyncio

import pytest

from libs.runtime import ids
from tests.services.api.player import Player, duel, execute, rivals
from tests.until import until


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


async def test_the_second_call_takes_the_second_seat(ann: Player, bob: Player) -> None:
    first = await ann.send("POST", "/duels", {"rival_id": bob.id, "secret": "crepe"}, key="a")
    assert (first.status_code, first.json()["state"]) == (201, "waiting")
    second = await bob.send("POST", "/duels", {"rival_id": ann.id, "secret": "sight"}, key="b")
    assert (second.status_code, second.json()["state"], second.json()["id"]) == (200, "playing", first.json()["id"])
    assert (await ann.send("POST", "/duels", {"rival_id": bob.id, "secret": "crepe"}, key="a")).json() == first.json()
    assert (await bob.send("POST", "/duels", {"rival_id": ann.id, "secret": "sight"}, key="b")).json() == second.json()
    await ann.refused("key_reused", 409, "POST", "/duels", {"rival_id": bob.id, "secret": "world"}, key="a")


async def test_a_secret_that_is_set_stays(ann: Player, bob: Player) -> None:
    game = (await ann.post("/duels", {"rival_id": bob.id, "secret": "crepe"}))["id"]
    refusal = await ann.refused("rival_game_exists", 409, "POST", "/duels", {"rival_id": bob.id, "secret": "sight"})
    assert refusal["game"] == game
    same = await ann.send("POST", "/duels", {"rival_id": bob.id, "secret": "CREPE"})
    assert (same.status_code, same.json()["id"]) == (200, game)


async def test_both_starting_at_once_make_one_game(ann: Player, bob: Player) -> None:
    answers = await asyncio.gather(
        ann.send("POST", "/duels", {"rival_id": bob.id, "secret": "crepe"}),
        bob.send("POST", "/duels", {"rival_id": ann.id, "secret": "sight"}),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 201]
    assert len({answer.json()["id"] for answer in answers}) == 1
    view = await ann.get(f"/games/{answers[0].json()['id']}")
    assert (view["state"], view["you"]["secret"]) == ("playing", "crepe")


async def test_todays_game_is_shown_with_the_rival(ann: Player, bob: Player) -> None:
    game = (await ann.post("/duels", {"rival_id": bob.id, "secret": "crepe"}))["id"]

    async def seen_by(player: Player) -> object:
        return (await player.get("/rivals"))["rivals"][0]["today"]

    waiting = {"game": game, "state": "waiting"}
    assert await until(lambda: seen_by(ann)) == {**waiting, "your_secret_set": True}
    assert await until(lambda: seen_by(bob)) == {**waiting, "your_secret_set": False}
    await bob.post(f"/games/{game}/secret", {"secret": "sight"})
    assert await seen_by(bob) == {"game": game, "state": "playing", "your_secret_set": True}


async def test_todays_game_is_listed_as_waiting_until_both_words_are_set(ann: Player, bob: Player) -> None:
    game = (await ann.post("/duels", {"rival_id": bob.id, "secret": "crepe"}))["id"]

    async def states() -> list[str]:
        found = []
        for player in (ann, bob):
            found += [entry["state"] for entry in (await player.get("/games"))["games"] if entry["id"] == game]
        return found

    async def are(state: str) -> bool:
        return await states() == [state, state]

    await until(lambda: are("waiting"))
    assert (await ann.get("/games?state=playing"))["games"] == []
    assert [entry["id"] for entry in (await ann.get("/games?state=waiting"))["games"]] == [game]
    await bob.post(f"/games/{game}/secret", {"secret": "sight"})
    await until(lambda: are("playing"))
    assert (await ann.get("/games?state=waiting"))["games"] == []


async def test_of_a_guests_and_the_accounts_game_of_one_day_the_guests_is_marked_not_counted(
    ann: Player, bob: Player, eve: Player
) -> None:
    [[email]] = await execute(ann.service, "select email from players where id = %s", ann.id)
    games = []
    for player in (ann, eve):
        games.append(game := await duel(player, bob, ("crepe", "sight")))
        await player.post(f"/games/{game}/guesses", {"word": "sight"})
        await bob.post(f"/games/{game}/guesses", {"word": "crepe"})
    await eve.sign_in(email)

    async def marked() -> bool:
        listed = {entry["id"]: entry for entry in (await ann.get("/games"))["games"]}
        found = [(listed[game]["outcome"], listed[game]["counted"]) for game in games if game in listed]
        return found == [("draw", True), ("draw", False)]

    await until(marked)


async def test_somebody_else_is_no_rival(ann: Player, bob: Player, eve: Player) -> None:
    for rival in (eve.id, ann.id, "nobody", "*"):
        await ann.refused("not_a_rival", 404, "POST", "/duels", {"rival_id": rival, "secret": "crepe"})
    await eve.refused("not_a_rival", 404, "POST", "/duels", {"rival_id": ann.id, "secret": "crepe"})
    assert (await eve.get("/rivals"))["rivals"] == []


async def test_a_bad_secret_makes_no_game(ann: Player, bob: Player) -> None:
    await ann.refused("not_a_secret", 422, "POST", "/duels", {"rival_id": bob.id, "secret": "xxxxx"})
    game = await ann.post("/duels", {"rival_id": bob.id, "secret": "crepe"})
    await bob.refused("letters", 422, "POST", "/duels", {"rival_id": ann.id, "secret": "abc"})
    assert (await bob.get(f"/games/{game['id']}"))["state"] == "waiting"
