"""Guests, signing in by e-mail, names, tokens: who one is, and who one is not."""

import asyncio
from typing import Any

import pytest

from libs.runtime import ids
from libs.runtime.settings import Settings
from services.api.accounts.emails import address
from services.api.problems import Problem
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, duel, execute, good, link_token, mails_to
from tests.services.api.service import Service, running
from tests.until import until


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


async def test_a_guest_keeps_their_session(ann: Player) -> None:
    again = await ann.send("POST", "/session/guest", {})
    assert (again.status_code, again.json()) == (
        200,
        {"player": {"id": ann.id, "name": ann.name, "guest": True}, "csrf": ann.csrf},
    )
    assert (await ann.get("/me"))["player"] == {"id": ann.id, "name": ann.name, "guest": True}
    assert ann.name.startswith("Guest ")


async def test_the_cookie_is_for_the_server_alone(player: NewPlayer) -> None:
    answer = await player().send("POST", "/session/guest", {})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("wordyard=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


async def test_nobody_is_told_so(player: NewPlayer) -> None:
    assert await player().get("/me") == {"player": None, "csrf": None, "settings": {"filter": True}}


async def test_the_same_key_makes_one_guest(player: NewPlayer) -> None:
    key = ids.new_id()
    one, other = player(), player()
    first = await one.post("/session/guest", {"token": True}, key)
    assert await other.post("/session/guest", {"token": True}, key) == first
    await player().refused("key_reused", 409, "POST", "/session/guest", {}, key=key)


async def test_a_new_address_makes_the_guest_an_account_of_the_same_id(ann: Player, email: str) -> None:
    guest, name, old = ann.id, ann.name, ann.http.cookies["wordyard"]
    await ann.post("/sign-in/email", {"email": email.upper()})
    answer = await ann.post("/sign-in/confirm", {"token": await link_token(ann.service, email)})
    assert answer["new"] is True
    assert answer["player"] == {"id": guest, "name": name, "guest": False}
    assert ann.http.cookies["wordyard"] != old
    ann.csrf = answer["csrf"]
    me = await ann.get("/me")
    assert (me["email"], me["player"]["guest"]) == (email, False)


async def test_the_session_from_before_the_sign_in_is_worth_nothing_after_it(
    ann: Player, player: NewPlayer, email: str
) -> None:
    thief = player()
    thief.http.cookies.set("wordyard", ann.http.cookies["wordyard"])
    assert (await thief.get("/me"))["player"]["id"] == ann.id
    await ann.sign_in(email)
    assert (await thief.get("/me"))["player"] is None


async def test_a_known_address_takes_the_guests_games_along(ann: Player, bob: Player, email: str) -> None:
    account = await Player(ann.service).sign_in(email)
    game = await duel(ann, bob)
    guest = ann.id
    await ann.sign_in(email)
    assert (ann.id, ann.id != guest) == (account.id, True)
    for one in (ann, account):  # also in the browser that knows nothing of this guest
        view = await one.get(f"/games/{game}")
        assert view["you"]["player"] == {"id": account.id, "name": account.name}
        assert (await one.post(f"/games/{game}/guesses", {"word": "allot"}))["version"] == view["version"] + 1
    assert (await bob.get(f"/games/{game}"))["opponent"]["player"] == {"id": account.id, "name": account.name}
    [entry] = await until(lambda: listed(account))
    assert entry["id"] == game
    await account.http.aclose()


async def listed(player: Player) -> Any:
    return (await player.get("/games"))["games"]


async def test_a_link_works_in_another_browser(ann: Player, player: NewPlayer, email: str) -> None:
    await ann.post("/sign-in/email", {"email": email})
    other = player()
    answer = await other.post("/sign-in/confirm", {"token": await link_token(ann.service, email)})
    assert answer["player"]["id"] != ann.id
    assert (await ann.get("/me"))["player"]["guest"] is True


async def test_a_link_works_once(ann: Player, player: NewPlayer, email: str) -> None:
    await ann.post("/sign-in/email", {"email": email})
    token = await link_token(ann.service, email)
    one = player()
    first = await one.post("/sign-in/confirm", {"token": token}, key="mine")
    again = await player().post("/sign-in/confirm", {"token": token}, key="mine")
    assert again["player"] == first["player"]
    await player().refused("sign_in_used", 410, "POST", "/sign-in/confirm", {"token": token})
    await player().refused("sign_in_used", 410, "POST", "/sign-in/confirm", {"token": token}, key="yours")


async def test_two_who_use_a_link_at_once_do_not_both_get_in(player: NewPlayer, email: str) -> None:
    one, other = player(), player()
    await one.post("/sign-in/email", {"email": email})
    token = await link_token(one.service, email)
    answers = await asyncio.gather(*(who.send("POST", "/sign-in/confirm", {"token": token}) for who in (one, other)))
    assert sorted(answer.status_code for answer in answers) == [200, 410]


async def test_two_who_sign_in_to_each_others_accounts_at_once_both_get_in(player: NewPlayer, email: str) -> None:
    one, other = await player().sign_in(email), await player().sign_in(f"x{email}")
    mine, theirs = email, f"x{email}"
    for _ in range(10):
        mine, theirs, tokens = theirs, mine, []
        for who, to in ((one, mine), (other, theirs)):
            await who.post("/sign-in/email", {"email": to})
            tokens.append(await link_token(who.service, to))
        swapped = await asyncio.gather(
            *(who.post("/sign-in/confirm", {"token": token}) for who, token in zip((one, other), tokens, strict=True))
        )
        assert [answer["player"]["id"] for answer in swapped] == [other.id, one.id]
        for who, answer in zip((one, other), swapped, strict=True):
            who.id, who.csrf = answer["player"]["id"], answer["csrf"]


async def test_two_links_of_one_new_address_make_one_account(player: NewPlayer, email: str) -> None:
    one, other = player(), player()
    tokens = []
    for who in (one, other):
        await who.post("/sign-in/email", {"email": email})
        tokens.append(await link_token(who.service, email))
    answers = await asyncio.gather(
        *(who.post("/sign-in/confirm", {"token": token}) for who, token in zip((one, other), tokens, strict=True))
    )
    assert len({answer["player"]["id"] for answer in answers}) == 1
    assert sorted(answer["new"] for answer in answers) == [False, True]


async def test_a_link_is_too_old_after_15_minutes(player: NewPlayer, email: str, service: Service) -> None:
    one = player()
    for minutes, code in (("14:59", None), ("15:00", "sign_in_expired")):
        await one.post("/sign-in/email", {"email": email})
        token = await link_token(service, email)
        await execute(
            service, "update sign_ins set made_at = made_at - %s::interval where email = %s", f"00:{minutes}", email
        )
        if code:
            await one.refused(code, 410, "POST", "/sign-in/confirm", {"token": token})
        else:
            await player().post("/sign-in/confirm", {"token": token})


async def test_a_made_up_token_is_unknown(ann: Player) -> None:
    await ann.refused("sign_in_unknown", 404, "POST", "/sign-in/confirm", {"token": ids.token()})


async def test_opening_the_page_of_a_link_uses_nothing_up(ann: Player, email: str) -> None:
    await ann.post("/sign-in/email", {"email": email})
    token = await link_token(ann.service, email)
    assert (await ann.http.get(f"/sign-in?{token}")).status_code == 200
    await ann.post("/sign-in/confirm", {"token": token})


async def test_the_answer_does_not_tell_who_has_an_account(ann: Player, player: NewPlayer, email: str) -> None:
    await ann.sign_in(email)
    known = await player().send("POST", "/sign-in/email", {"email": email})
    unknown = await player().send("POST", "/sign-in/email", {"email": f"{ids.new_id()}@example.org"})
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json()) == (202, {})


async def test_a_mail_is_sent_once_for_a_key(ann: Player, email: str) -> None:
    for _ in range(2):
        await ann.post("/sign-in/email", {"email": email}, key="k")
    assert len(await mails_to(ann.service, email)) == 1
    await ann.refused("key_reused", 409, "POST", "/sign-in/email", {"email": "x@example.org"}, key="k")
    [(stored,)] = await execute(ann.service, "select count(*) from requests where answer like %s", b"%token%")
    assert stored == 0


@pytest.mark.parametrize(
    "text",
    [
        "", "bob", "bob@", "@example.org", "bob@example", "a@b@example.org", "bob@example.org\r\nBcc: eve@example.org",
        "bob@example.org\n", "bob @example.org", "bob@exa mple.org", "bob@example.org,eve@example.org",
        "<b@example.org>",
        "Bob <b@example.org>", '"b"@example.org', "b..c@example.org", ".b@example.org", "bób@example.org", "b@-x.org",
        "b@127.0.0.1", "b@[127.0.0.1]", "b@example.org.", "b@.org", f"{'b' * 65}@example.org", f"b@{'a.' * 130}org",
        "=?utf-8?q?eve=40example.com=2c?=@example.org", "\u212aate@example.org", "b@exam\u200dple.org",
    ],
)  # fmt: skip
async def test_what_is_no_address_is_refused(ann: Player, text: str) -> None:
    await ann.refused("email", 422, "POST", "/sign-in/email", {"email": text})


def test_an_address_has_one_form() -> None:
    assert address(" Bob.O'Hara+duel@EXAMPLE.org ") == "bob.o'hara+duel@example.org"
    assert address("bob@bücher.example") == "bob@xn--bcher-kva.example"
    assert address("bob@Bu\u0308CHER.example") == "bob@xn--bcher-kva.example"
    assert address("bob@faß.example") == "bob@xn--fa-hia.example"  # which is another domain than fass.example
    with pytest.raises(Problem):
        address("bob@exämple")


async def test_signing_out_ends_the_session_everywhere(ann: Player, player: NewPlayer) -> None:
    copy = player()
    copy.http.cookies.set("wordyard", ann.http.cookies["wordyard"])
    answer = await ann.send("DELETE", "/session")
    assert (answer.status_code, answer.content) == (204, b"")
    assert "Max-Age=0" in answer.headers["set-cookie"]
    assert (await copy.get("/me"))["player"] is None
    await copy.refused("unauthorized", 401, "GET", "/games")
    assert (await player().send("DELETE", "/session")).status_code == 204


async def test_what_has_ended_is_known_before_the_first_request(ann: Player, api_settings: Settings) -> None:
    await execute(ann.service, "update sessions set ended_at = now() where player = %s", ann.id)
    with running(api_settings, game=False, ready=False) as copy:
        ann.move_to(copy)
        assert (await ann.get("/me"))["player"] is None


async def test_what_another_copy_has_ended_is_ended_here(ann: Player) -> None:
    await execute(ann.service, "update sessions set ended_at = now() where player = %s", ann.id)

    async def out() -> bool:
        return (await ann.get("/me"))["player"] is None

    await until(out)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c[:-2] + "AA",
        lambda c: "x" + c,
        lambda c: c[5:],
        lambda c: c + ".x",
        lambda c: c.split(".")[0],
        lambda c: "é",
    ],
)
async def test_a_cookie_that_was_changed_is_none(ann: Player, change: Any) -> None:
    cookie = change(ann.http.cookies["wordyard"])
    ann.http.cookies.clear()
    answer = await ann.http.get("/api/v1/games", headers={"cookie": f"wordyard={cookie}".encode()})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


async def test_a_token_and_a_cookie_are_not_the_same(player: NewPlayer, ann: Player) -> None:
    program = await player().enter(token=True)
    thief = player()
    thief.http.cookies.set("wordyard", program.token.removeprefix("wy_"))
    assert (await thief.get("/me"))["player"] is None
    thief.http.cookies.clear()
    cookie = ann.http.cookies["wordyard"]
    for token in (cookie, f"wy_{cookie}", "x", "wy_", program.token[:-1], program.token + "x"):
        await thief.refused("unauthorized", 401, "GET", "/me", Authorization=f"Bearer {token}")
    await thief.refused("unauthorized", 401, "GET", "/me", Authorization=f"Basic {program.token}")


async def test_a_name_is_had_by_one(ann: Player, bob: Player) -> None:
    await ann.sign_in(f"{ids.new_id()}@example.org")
    await bob.sign_in(f"{ids.new_id()}@example.org")
    name = f"Ann {ids.new_id()[-8:]}"
    assert good(await ann.send("PATCH", "/me", {"name": f"  {name} "}))["player"]["name"] == name
    for alike in (name, name.upper(), name.replace("A", "А"), name.replace("0", "O")):
        if alike.isascii():
            await bob.refused("name_taken", 422, "PATCH", "/me", {"name": alike})
        else:  # a Cyrillic A among Latin letters is refused before anybody has to compare
            await bob.refused("name_letters", 422, "PATCH", "/me", {"name": alike})
    assert good(await ann.send("PATCH", "/me", {"name": name.upper()}))["player"]["name"] == name.upper()


async def test_a_name_in_another_script_that_looks_the_same_is_taken(ann: Player, bob: Player) -> None:
    await ann.sign_in(f"{ids.new_id()}@example.org")
    await bob.sign_in(f"{ids.new_id()}@example.org")
    tail = ids.new_id()[-6:].translate(str.maketrans("abcdef", "012345"))
    good(await ann.send("PATCH", "/me", {"name": f"oxo{tail}"}))
    await bob.refused("name_taken", 422, "PATCH", "/me", {"name": f"охо{tail}"})


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "name_length"), ("x" * 21, "name_length"), ("", "name_length"), ("<b>Ann</b>", "name_letters"),
        ("Ann\u202e", "name_letters"), ("Ann\r\nX: y", "name_letters"), ("shit", "name_crude"), ("sh1t", "name_crude"),
        ("Guest 4821", "name_taken"), ("GUEST 1", "name_taken"),
    ],
)  # fmt: skip
async def test_a_name_that_cannot_be_had(ann: Player, name: str, code: str, email: str) -> None:
    await ann.sign_in(email)
    await ann.refused(code, 422, "PATCH", "/me", {"name": name})
    assert (await ann.get("/me"))["player"]["name"] == ann.name


async def test_innocent_names_are_fine(ann: Player, email: str) -> None:
    await ann.sign_in(email)
    for name in ("Scunthorpe", "Dickens", "Łukasz-1", "李小龍"):
        assert good(await ann.send("PATCH", "/me", {"name": name}))["player"]["name"] == name


async def test_a_new_name_shows_in_games(ann: Player, bob: Player, email: str) -> None:
    game = await duel(ann, bob)
    await ann.sign_in(email)
    name = f"Zoe {ids.new_id()[-8:]}"
    await ann.send("PATCH", "/me", {"name": name})
    assert (await bob.get(f"/games/{game}"))["opponent"]["player"]["name"] == name


async def test_a_guest_has_the_name_they_were_given_but_may_choose_the_filter(ann: Player) -> None:
    await ann.refused("unauthorized", 401, "PATCH", "/me", {"name": "Annabel"})
    assert good(await ann.send("PATCH", "/me", {"filter": False}))["settings"] == {"filter": False}
    assert (await ann.get("/me"))["settings"] == {"filter": False}


async def test_tokens_are_made_listed_and_revoked(ann: Player, player: NewPlayer, email: str) -> None:
    await ann.sign_in(email)
    made = await ann.post("/me/tokens", {"label": "my bot"}, key="once")
    assert await ann.post("/me/tokens", {"label": "my bot"}, key="once") == made
    await ann.refused("key_reused", 409, "POST", "/me/tokens", {"label": "other"}, key="once")
    [listed] = (await ann.get("/me/tokens"))["tokens"]
    assert listed == {name: value for name, value in made.items() if name != "token"}
    program = player()
    program.token = made["token"]
    assert (await program.get("/me"))["player"]["id"] == ann.id
    await program.post("/invites", {"kind": "duel", "secret": "crepe"})
    assert (await ann.send("DELETE", f"/me/tokens/{made['id']}")).status_code == 204
    await ann.refused("not_found", 404, "DELETE", f"/me/tokens/{made['id']}")
    await program.refused("unauthorized", 401, "GET", "/me")
    assert (await ann.get("/me/tokens"))["tokens"] == []


async def test_a_token_of_somebody_else_is_not_revoked(ann: Player, bob: Player, player: NewPlayer, email: str) -> None:
    await ann.sign_in(email)
    made = await ann.post("/me/tokens", {"label": "mine"})
    await bob.sign_in(f"x{email}")
    await bob.refused("not_found", 404, "DELETE", f"/me/tokens/{made['id']}")
    program = player()
    program.token = made["token"]
    await program.get("/me")


async def test_guests_have_no_tokens_and_labels_have_limits(ann: Player, email: str) -> None:
    await ann.refused("unauthorized", 401, "POST", "/me/tokens", {"label": "x"})
    await ann.sign_in(email)
    for label in ("", "x" * 41):
        assert (await ann.refused("malformed", 400, "POST", "/me/tokens", {"label": label}))["where"] == "$.label"


async def test_no_network_address_is_in_the_tables(player: NewPlayer, email: str) -> None:
    anybody = player()
    await anybody.post("/sign-in/email", {"email": email}, key="k")
    await anybody.post("/session/guest", key="k")
    assert await execute(anybody.service, "select scope from requests where scope like '%%127.0.0.1%%'") == []


async def test_no_secret_is_in_the_tables(ann: Player, email: str) -> None:
    await ann.sign_in(email)
    made = await ann.post("/me/tokens", {"label": "bot"}, key="k")
    await ann.post("/sign-in/email", {"email": email})
    token = await link_token(ann.service, email)
    secrets = (made["token"].split(".")[1], ann.http.cookies["wordyard"].split(".")[1], token)
    for table in ("requests", "sessions", "api_tokens", "sign_ins", "players"):
        rows = str(
            [
                [bytes(v) if isinstance(v, memoryview) else v for v in row]
                for row in await execute(ann.service, f"select * from {table}")  # noqa: S608
            ]
        )
        assert [secret for secret in secrets if secret in rows] == []
