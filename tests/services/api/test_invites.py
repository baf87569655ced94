"""Invites: shown by looking, taken by a POST, and every state told apart."""

import asyncio

import pytest

from libs.core.refusals import Reason, Refused
from libs.runtime import ids
from services.api.invite_tokens import game_of, token_of
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute, good, mails_to, rivals
from tests.services.api.service import Service
from tests.until import until

INVITE = {"kind": "duel", "secret": "crepe"}


def test_a_link_leads_to_its_game_and_cannot_be_made_up() -> None:
    game, key = ids.new_id(), "k" * 32
    token = token_of(game, key)
    assert len(token) == 43
    assert game_of(token, key) == game
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    variants = [token[:-1] + letter for letter in last if letter != token[-1]]
    for forged in (token_of(game, "other" * 8), token[1:], token + "A", token[:20] + "é" + token[21:], "", *variants):
        with pytest.raises(Refused) as caught:
            game_of(forged, key)
        assert caught.value.reason is Reason.UNKNOWN_INVITE


async def test_looking_at_an_invite_changes_nothing(ann: Player, player: NewPlayer) -> None:
    invite = await ann.post("/invites", INVITE)
    assert (invite["state"], invite["kind"], invite["yours"]) == ("open", "duel", True)
    assert invite["url"] == f"{ann.service.url}/invite/{invite['token']}"
    stranger = player()
    for _ in range(3):
        seen = await stranger.get(f"/invites/{invite['token']}")
    assert seen == {**invite, "game": None, "yours": False}
    assert seen["maker"] == {"id": ann.id, "name": ann.name}
    assert await ann.get(f"/invites/{invite['token']}") == invite


async def test_an_invite_is_taken_once(ann: Player, bob: Player, eve: Player) -> None:
    token = (await ann.post("/invites", INVITE))["token"]
    taken = await bob.post(f"/invites/{token}/accept", {"secret": "sight"}, key="take")
    assert await bob.post(f"/invites/{token}/accept", {"secret": "sight"}, key="take") == taken
    await bob.refused("invite_used", 409, "POST", f"/invites/{token}/accept", {"secret": "sight"})
    await eve.refused("invite_used", 409, "POST", f"/invites/{token}/accept", {"secret": "sight"})
    seen = await eve.get(f"/invites/{token}")
    assert (seen["state"], seen["game"]) == ("used", None)
    assert (await bob.get(f"/invites/{token}"))["game"] == taken["id"]


async def test_its_maker_cannot_take_it(ann: Player) -> None:
    token = (await ann.post("/invites", INVITE))["token"]
    await ann.refused("own_invite", 409, "POST", f"/invites/{token}/accept", {"secret": "sight"})


async def test_who_was_its_maker_as_a_guest_cannot_take_it_as_an_account(ann: Player) -> None:
    token = (await ann.post("/invites", INVITE))["token"]
    await ann.sign_in(f"{ids.new_id()}@example.org")
    await ann.refused("own_invite", 409, "POST", f"/invites/{token}/accept", {"secret": "sight"})


async def test_a_bad_secret_leaves_it_open(ann: Player, bob: Player) -> None:
    path = f"/invites/{(await ann.post('/invites', INVITE))['token']}"
    await bob.refused("not_a_secret", 422, "POST", f"{path}/accept", {"secret": "xylyl"})
    await bob.refused("letters", 422, "POST", f"{path}/accept", {"secret": "sixers"})
    await bob.refused("secret_required", 422, "POST", f"{path}/accept", {})
    assert (await bob.get(path))["state"] == "open"


async def test_only_its_maker_withdraws_it_and_then_nobody_takes_it(ann: Player, bob: Player) -> None:
    path = f"/invites/{(await ann.post('/invites', INVITE))['token']}"
    await bob.refused("not_the_maker", 403, "DELETE", path)
    assert good(await ann.send("DELETE", path))["state"] == "withdrawn"
    await ann.refused("invite_withdrawn", 410, "DELETE", path)
    await bob.refused("invite_withdrawn", 410, "POST", f"{path}/accept", {"secret": "sight"})
    assert (await bob.get(path))["state"] == "withdrawn"


async def test_a_used_invite_is_not_withdrawn(ann: Player, bob: Player) -> None:
    path = f"/invites/{(await ann.post('/invites', INVITE))['token']}"
    await bob.post(f"{path}/accept", {"secret": "sight"})
    await ann.refused("invite_used", 409, "DELETE", path)


async def test_an_unknown_invite_is_not_found(ann: Player) -> None:
    for token in ("nonsense", "A" * 43, token_of(ids.new_id(), ann.service.settings.secret_key)):
        await ann.refused("unknown_invite", 404, "GET", f"/invites/{token}")
        await ann.refused("unknown_invite", 404, "POST", f"/invites/{token}/accept", {"secret": "sight"})


async def test_a_rival_game_has_no_invite(ann: Player, bob: Player) -> None:
    await ann.sign_in(f"{ids.new_id()}@example.org")
    await bob.sign_in(f"{ids.new_id()}@example.org")
    await rivals(ann, bob)
    view = await ann.post("/duels", {"rival_id": bob.id, "secret": "crepe"})
    token = token_of(view["id"], ann.service.settings.secret_key)
    await bob.refused("unknown_invite", 404, "GET", f"/invites/{token}")


async def test_an_invite_by_mail_is_sent_once(ann: Player, service: Service) -> None:
    email = f"{ids.new_id()}@example.org"
    body = {**INVITE, "email": email.upper()}
    invite = await ann.post("/invites", body, key="mail")
    assert await ann.post("/invites", body, key="mail") == invite
    [(subject, text)] = await mails_to(service, email)
    assert subject == f"{ann.name} challenges you to a duel of words"
    assert invite["url"] in text
    await ann.refused("key_reused", 409, "POST", "/invites", {**body, "email": "other@example.org"}, key="mail")
    assert await mails_to(service, "other@example.org") == []
    queued = await execute(service, "select message->>'actor_name' from dramatiq.queue order by position desc limit 1")
    assert queued == [("mail.send",)]


async def test_an_invite_to_no_address_is_not_made(ann: Player) -> None:
    await ann.refused("email", 422, "POST", "/invites", {**INVITE, "email": "bob@"})
    assert (await ann.get("/games"))["games"] == []


async def test_making_an_invite_is_repeated_by_its_key(ann: Player) -> None:
    first = await ann.post("/invites", INVITE, key="once")
    assert await ann.post("/invites", INVITE, key="once") == first
    await ann.refused("key_reused", 409, "POST", "/invites", {**INVITE, "secret": "sight"}, key="once")
    assert (await ann.refused("malformed", 400, "POST", "/invites", {"kind": "chess"}))["where"] == "$.kind"


async def test_two_at_once_take_one_seat(ann: Player, bob: Player, eve: Player) -> None:
    token = (await ann.post("/invites", INVITE))["token"]
    answers = await asyncio.gather(
        *(one.send("POST", f"/invites/{token}/accept", {"secret": "sight"}) for one in (bob, eve))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]


async def test_rivals_with_todays_game_cannot_take_an_invite_of_each_other(ann: Player, bob: Player) -> None:
    await ann.sign_in(f"{ids.new_id()}@example.org")
    await bob.sign_in(f"{ids.new_id()}@example.org")
    game = await duel(ann, bob)
    path = f"/invites/{(await ann.post('/invites', INVITE))['token']}"
    refusal = await bob.refused("rival_game_exists", 409, "POST", f"{path}/accept", {"secret": "sight"})
    assert refusal["game"] == game
    assert (await bob.get(path))["state"] == "open"


async def test_playing_as_accounts_makes_rivals(ann: Player, bob: Player) -> None:
    await ann.sign_in(f"{ids.new_id()}@example.org")
    await bob.sign_in(f"{ids.new_id()}@example.org")
    game = await duel(ann, bob)

    async def there() -> object:
        return (await ann.get("/rivals"))["rivals"]

    [rival] = await until(there)  # type: ignore[misc]
    assert rival == {
        "player": {"id": bob.id, "name": bob.name},
        "records": {"duel": {"wins": 0, "losses": 0, "draws": 0, "played": 0}},
        "today": {"game": game, "state": "playing", "your_secret_set": True},
    }
