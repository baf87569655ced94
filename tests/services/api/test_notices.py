"""Notices are off until an account asks for them; a mail's link ends them without signing in; browsers come and go."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from libs.runtime import ids
from services.api.database import Database
from services.api.housekeeping import tidy
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, execute
from tests.services.solver.push_endpoint import Browser

PUSH_SERVICE = "https://push.example.com/send/"
NOTHING = {"mail": [], "push": []}
ALL = ["invite_taken", "rival_started", "opponent_finished", "last_hour"]


@pytest.fixture
async def own(player: NewPlayer) -> Player:
    """An account."""
    return await player().sign_in(f"own-{ids.new_id()[-12:]}@example.com")


def browser() -> dict[str, Any]:
    """A new browser that lets itself be sent to."""
    return Browser(PUSH_SERVICE + ids.new_id()).json()


async def link(own: Player) -> str:
    [[token]] = await execute(own.service, "select unsubscribe from notice_choices where player = %s", own.id)
    return str(token)


async def chosen(own: Player) -> dict[str, Any]:
    answer = await own.get("/me/notices")
    return {way: answer[way] for way in ("mail", "push")}


async def test_nothing_is_chosen_until_it_is_asked_for(own: Player) -> None:
    answer = await own.get("/me/notices")
    assert {way: answer[way] for way in ("mail", "push")} == NOTHING
    assert (answer["address"], answer["browsers"], len(answer["key"])) == (True, [], 87)


async def test_each_occasion_is_chosen_for_each_way(own: Player) -> None:
    wanted = {"mail": ["last_hour", "invite_taken"], "push": ["opponent_finished"]}
    answer = await own.send("PUT", "/me/notices", wanted)
    assert answer.status_code == 200
    expected = {"mail": ["invite_taken", "last_hour"], "push": ["opponent_finished"]}
    assert await chosen(own) == expected
    await own.send("PUT", "/me/notices", NOTHING)
    assert await chosen(own) == NOTHING


async def test_the_language_is_that_of_the_choice(own: Player) -> None:
    await own.post("/me/push", browser())
    await own.send("PUT", "/me/notices", NOTHING, Accept_Language="pl")
    query = """
    select c.language, s.language from notice_choices c join push_subscriptions s using (player) where player = %s
    """
    assert await execute(own.service, query, own.id) == [("pl", "pl")]


@pytest.mark.parametrize("body", [{"mail": ["everything"], "push": []}, {"mail": []}, {"mail": ALL + ALL, "push": []}])
async def test_other_choices_are_refused(own: Player, body: Any) -> None:
    await own.refused("malformed", 400, "PUT", "/me/notices", body)


async def test_a_guest_has_none(ann: Player) -> None:
    await ann.refused("unauthorized", 401, "GET", "/me/notices")
    await ann.refused("unauthorized", 401, "PUT", "/me/notices", NOTHING)
    await ann.refused("unauthorized", 401, "POST", "/me/push", browser())


async def test_a_page_of_others_chooses_nothing(own: Player) -> None:
    await own.refused("csrf", 403, "PUT", "/me/notices", NOTHING, X_CSRF_Token="x")


async def test_the_link_of_a_mail_ends_mails_without_signing_in(own: Player, player: NewPlayer) -> None:
    await own.send("PUT", "/me/notices", {"mail": ALL, "push": ALL})
    token, nobody = await link(own), player()
    page = await nobody.http.get(f"/unsubscribe/{token}", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert await chosen(own) == {"mail": ALL, "push": ALL}
    await nobody.post("/notices/unsubscribe", {"token": token})
    assert await chosen(own) == {"mail": [], "push": ALL}
    await nobody.post("/notices/unsubscribe", {"token": token})


async def test_a_mail_program_ends_them_with_one_click(own: Player) -> None:
    await own.send("PUT", "/me/notices", {"mail": ALL, "push": []})
    async with httpx.AsyncClient(base_url=own.service.url, trust_env=False) as program:
        answer = await program.post(f"/unsubscribe/{await link(own)}", data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert await chosen(own) == NOTHING


async def test_a_link_that_is_none_of_ours_ends_nothing(player: NewPlayer) -> None:
    await player().refused("unsubscribe_unknown", 404, "POST", "/notices/unsubscribe", {"token": "x" * 43})


async def test_notices_on_their_way_are_taken_back_and_other_mails_are_not(own: Player) -> None:
    await own.send("PUT", "/me/notices", {"mail": ALL, "push": []})
    [[email]] = await execute(own.service, "select email from players where id = %s", own.id)
    await execute(own.service, "update mails set state = 'kept' where recipient = %s", email)
    put = "insert into mails (id, recipient, subject, body, made_at, unsubscribe) values (%s, %s, %s, '', now(), %s)"
    await execute(own.service, put, ids.new_id(), email, "notice", "https://words.example/unsubscribe/x")
    await execute(own.service, put, ids.new_id(), email, "link", "")
    await execute(own.service, put, ids.new_id(), "eve@example.com", "notice", "https://words.example/unsubscribe/y")
    await own.post("/notices/unsubscribe", {"token": await link(own)})
    left = "select subject from mails where recipient in (%s, 'eve@example.com') and state = 'new' order by id"
    assert await execute(own.service, left, email) == [("link",), ("notice",)]


async def test_choosing_again_keeps_the_link(own: Player) -> None:
    await own.send("PUT", "/me/notices", NOTHING)
    token = await link(own)
    await own.send("PUT", "/me/notices", {"mail": ALL, "push": []})
    assert await link(own) == token


async def test_browsers_are_listed_and_ended(own: Player, player: NewPlayer) -> None:
    one, other = await own.post("/me/push", browser()), await own.post("/me/push", browser())
    assert {each["id"] for each in (await own.get("/me/notices"))["browsers"]} == {one["id"], other["id"]}
    stranger = await player().sign_in(f"eve-{ids.new_id()[-12:]}@example.com")
    await stranger.refused("not_found", 404, "DELETE", f"/me/push/{one['id']}")
    assert (await own.send("DELETE", f"/me/push/{one['id']}")).status_code == 204
    assert [each["id"] for each in (await own.get("/me/notices"))["browsers"]] == [other["id"]]


async def test_subscribing_again_changes_nothing(own: Player) -> None:
    same = browser()
    assert (await own.post("/me/push", same))["id"] == (await own.post("/me/push", same))["id"]
    assert len((await own.get("/me/notices"))["browsers"]) == 1


async def test_a_browser_shows_the_notices_of_whoever_subscribed_last(own: Player, player: NewPlayer) -> None:
    shared, other = browser(), await player().sign_in(f"kim-{ids.new_id()[-12:]}@example.com")
    await own.post("/me/push", shared)
    await other.post("/me/push", shared)
    assert (await own.get("/me/notices"))["browsers"] == []
    assert len((await other.get("/me/notices"))["browsers"]) == 1


async def test_what_is_on_its_way_to_a_browser_is_not_shown_to_who_has_it_next(own: Player, player: NewPlayer) -> None:
    shared, other = browser(), await player().sign_in(f"kim-{ids.new_id()[-12:]}@example.com")
    subscription = (await own.post("/me/push", shared))["id"]
    put = "insert into pushes values (%s, %s, '{}', 'topic', '{}', now() + interval '1 hour', 0, now())"
    await execute(own.service, put, ids.new_id(), subscription)
    on_its_way = "select count(*) from pushes where subscription = %s"
    await own.post("/me/push", shared)
    assert await execute(own.service, on_its_way, subscription) == [(1,)]
    await other.post("/me/push", shared)
    assert await execute(own.service, on_its_way, subscription) == [(0,)]


async def test_a_browser_falls_silent_with_its_session(own: Player, player: NewPlayer) -> None:
    [[email]] = await execute(own.service, "select email from players where id = %s", own.id)
    second = await player().sign_in(email)
    await second.post("/me/push", browser())
    kept = await own.post("/me/push", browser())
    await second.send("DELETE", "/session")
    assert [each["id"] for each in (await own.get("/me/notices"))["browsers"]] == [kept["id"]]
    database = Database(own.service.settings)
    await database.open()
    await tidy(database, datetime.now(UTC))
    await database.close()
    query = "select id from push_subscriptions where player = %s"
    assert await execute(own.service, query, own.id) == [(kept["id"],)]


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.com/send",
        "https://127.0.0.1/send",
        "https://[::1]/send",
        "https://0x7f.1/send",
        "https://localhost/send",
        "https://db.internal/send",
        "https://push.example.com:8443/send",
        "https://user@push.example.com/send",
        "https://push.example.com/" + "x" * 1000,
        "ftp://push.example.com/send",
        "nonsense",
    ],
)
async def test_we_send_to_public_https_addresses_alone(own: Player, endpoint: str) -> None:
    status = 422 if len(endpoint) <= 1000 else 400
    code = "push_unusable" if status == 422 else "malformed"
    await own.refused(code, status, "POST", "/me/push", Browser(endpoint).json())


@pytest.mark.parametrize("keys", [{"p256dh": "AAAA"}, {"p256dh": "B" + "A" * 86}, {"auth": "AAAA"}, {"auth": "é"}])
async def test_keys_that_are_none_are_refused(own: Player, keys: dict[str, str]) -> None:
    body = browser()
    body["keys"] |= keys
    await own.refused("push_unusable", 422, "POST", "/me/push", body)


async def test_export_and_deletion_know_of_all_this(own: Player) -> None:
    await own.send("PUT", "/me/notices", {"mail": ALL, "push": []})
    here = browser()
    await own.post("/me/push", here)
    await execute(
        own.service, "insert into notices values (%s, %s, 'last_hour', '2026-01-15', now())", ids.new_id(), own.id
    )
    token = await link(own)
    [[email]] = await execute(own.service, "select email from players where id = %s", own.id)
    put = "insert into mails (id, recipient, subject, body, made_at) values (%s, %s, 'notice', %s, now())"
    await execute(own.service, put, ids.new_id(), email, f"https://words.example/unsubscribe/{token}\n")
    kept = await own.get("/me/export")
    assert [mail["text"] for mail in kept["mails"] if mail["subject"] == "notice"] == [
        "https://words.example/unsubscribe/...\n"
    ]
    assert kept["notice_choices"] == [{"mail": ALL, "push": [], "language": "en"}]
    assert [each["endpoint"] for each in kept["notice_browsers"]] == [here["endpoint"]]
    assert [each["occasion"] for each in kept["notices"]] == ["last_hour"]
    assert (await own.send("DELETE", "/me", {"name": own.name})).status_code == 204
    query = """
    select player from notice_choices union select player from push_subscriptions union select player from notices
    """
    assert (own.id,) not in await execute(own.service, query)
    await own.refused("unsubscribe_unknown", 404, "POST", "/notices/unsubscribe", {"token": token})
