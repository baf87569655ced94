"""The Daily over HTTP: one attempt for each player, on however many devices, and nothing told too early."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import msgspec
import pytest
import websockets

from libs.core import daily
from libs.core.calendar import close_of, eastern_day
from libs.core.commitments import holds
from libs.core.daily import attempt_id
from libs.runtime import bus, ids
from libs.runtime.clock import clock
from libs.runtime.log import Log
from services.scheduler.announce import announce
from tests.given import DAILY_KEY
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, execute
from tests.services.api.service import Service
from tests.services.dailies import events
from tests.until import until

WRONG = ("slate", "crane", "eerie", "allot", "sassy", "geese", "jumbo")


def today() -> date:
    return eastern_day(clock()())


def word(day: date | None = None) -> str:
    return daily.secret_of(DAILY_KEY, day or today()).word


def wrong() -> list[str]:
    """Six words that today's is none of."""
    return [one for one in WRONG if one != word()][:6]


async def guess(player: Player, guess: str, key: str = "") -> Any:
    return await player.post("/daily/guesses", {"word": guess, "day": str(today())}, key)


async def log_of(service: Service, player: str) -> list[dict[str, Any]]:
    connection = await bus.connect(service.settings, "test")
    try:
        return await events(Log(connection), attempt_id(player, today()))
    finally:
        await connection.close()


@pytest.fixture
async def announced(service: Service) -> None:
    """This week's days are announced."""
    connection = await bus.connect(service.settings, "test")
    await announce(connection, clock())
    await connection.close()


async def test_looking_starts_nothing(ann: Player, announced: None) -> None:
    for path in ("/daily", f"/daily/{today()}"):
        view = await ann.get(path)
        assert view == {
            "id": attempt_id(ann.id, today()),
            "kind": "daily",
            "state": "open",
            "day": str(today()),
            "closes_at": msgspec.to_builtins(close_of(today())),
            "version": 0,
            "words": "55b48d48",
            "guesses": [],
            "elapsed_ms": None,
            "word": None,
            "commitment": daily.secret_of(DAILY_KEY, today()).commitment,
        }
    assert await log_of(ann.service, ann.id) == []


async def test_a_whole_daily(ann: Player) -> None:
    first, second, *_ = wrong()
    view = await guess(ann, f" {first.upper()}\t")
    assert (view["state"], view["version"], view["word"], view["elapsed_ms"]) == ("open", 1, None, None)
    assert (view["guesses"][0]["word"], len(view["guesses"][0]["marks"])) == (first, 5)
    view = await ann.post("/daily/guesses", {"word": second})  # naming the day is a good habit, and not required
    assert [one["word"] for one in view["guesses"]] == [first, second]
    assert await ann.get("/daily") == view == await ann.get(f"/games/{view['id']}")
    view = await ann.post(f"/games/{view['id']}/guesses", {"word": word()})
    began, *_, solved = (datetime.fromisoformat(one["at"]) for one in view["guesses"])
    assert (view["state"], view["word"], view["guesses"][2]["marks"]) == ("solved", word(), "CCCCC")
    assert view["elapsed_ms"] == (solved - began) // timedelta(milliseconds=1)
    await ann.refused("finished", 409, "POST", "/daily/guesses", {"word": first})
    audit = await ann.get(f"/games/{view['id']}/audit")
    assert audit["secrets"] == {ann.id: word()}
    assert audit["result"]["solved"]


async def test_solved_with_the_first_guess_takes_no_time(ann: Player) -> None:
    view = await guess(ann, word())
    assert (view["state"], view["elapsed_ms"]) == ("solved", 0)


async def test_after_the_sixth_guess_the_word_is_shown_at_once(ann: Player) -> None:
    for number, one in enumerate(wrong(), 1):
        view = await guess(ann, one)
        assert view["word"] == (word() if number == 6 else None)
    assert (view["state"], view["elapsed_ms"]) == ("failed", None)
    await ann.refused("finished", 409, "POST", "/daily/guesses", {"word": word()})


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"word": "cran"}, 422, "letters"),
        ({"word": "сrane"}, 422, "letters"),
        ({"word": "xxxxx"}, 422, "unknown_word"),
        ({"word": "crane", "day": "2026-01-01"}, 409, "closed"),
        ({"word": "crane", "day": "2025-12-31"}, 409, "closed"),
        ({"word": "crane", "day": "0001-01-01"}, 409, "closed"),
        ({"word": "crane", "day": "9999-12-31"}, 409, "closed"),
        ({"word": "crane", "day": "today"}, 400, "malformed"),
        ({"word": "crane", "day": "2026-02-30"}, 400, "malformed"),
        ({"word": "crane", "days": 1}, 400, "malformed"),
        ({"day": "2026-01-01"}, 400, "malformed"),
        ({"word": None}, 400, "malformed"),
        ([], 400, "malformed"),
    ],
)
async def test_a_guess_that_is_none_is_refused_and_starts_nothing(
    ann: Player, body: Any, status: int, code: str
) -> None:
    await ann.refused(code, status, "POST", "/daily/guesses", body)
    assert await log_of(ann.service, ann.id) == []


async def test_yesterday_and_tomorrow_cannot_be_played(ann: Player) -> None:
    for day in (today() - timedelta(days=1), today() + timedelta(days=1)):
        await ann.refused("closed", 409, "POST", "/daily/guesses", {"word": "crane", "day": str(day)})
    assert (await ann.get("/daily"))["version"] == 0


async def test_the_same_guess_with_the_same_key_is_taken_once(ann: Player) -> None:
    first, second, *_ = wrong()
    view = await guess(ann, first, "k")
    assert await guess(ann, first, "k") == view
    await ann.refused("key_reused", 409, "POST", "/daily/guesses", {"word": second, "day": str(today())}, key="k")
    await guess(ann, second)
    assert await guess(ann, first, "k") == view
    assert len((await ann.get("/daily"))["guesses"]) == 2


async def device(player: Player) -> Player:
    """The same player in another browser."""
    other = Player(player.service)
    other.http.cookies, other.csrf, other.id = httpx.Cookies(player.http.cookies), player.csrf, player.id
    return other


async def test_two_devices_of_one_player_are_one_attempt_and_racing_guesses_stand_in_order(ann: Player) -> None:
    async with await device(ann) as other:
        words = wrong()
        views = await asyncio.gather(*(guess((ann, other)[number % 2], one) for number, one in enumerate(words)))
        assert sorted(view["version"] for view in views) == [1, 2, 3, 4, 5, 6]
        final = await other.get("/daily")
        assert sorted(one["word"] for one in final["guesses"]) == sorted(words)
        for view in views:  # each device was shown the same history, as far as it went then
            assert view["guesses"] == final["guesses"][: view["version"]]
        times = [one["at"] for one in final["guesses"]]
        assert times == sorted(times)
        assert (final["state"], final["word"]) == ("failed", word())


async def test_of_two_devices_that_race_for_the_sixth_guess_one_is_refused(ann: Player) -> None:
    async with await device(ann) as other:
        for one in wrong()[:5]:
            await guess(ann, one)
        answers = await asyncio.gather(
            *(one.send("POST", "/daily/guesses", {"word": wrong()[5]}) for one in (ann, other))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert len((await ann.get("/daily"))["guesses"]) == 6


async def test_a_second_device_follows_live(ann: Player) -> None:
    first, second, *_ = wrong()
    view = await guess(ann, first)
    async with await device(ann) as other, other.live(view["id"]) as socket:
        assert msgspec.json.decode(await socket.recv())["view"] == view
        view = await guess(ann, second)
        assert msgspec.json.decode(await socket.recv())["view"] == view


async def test_a_second_device_follows_from_before_the_first_guess(ann: Player, eve: Player) -> None:
    attempt = (await ann.get("/daily"))["id"]
    async with await device(ann) as other, other.live(attempt) as socket:
        for one in wrong()[:2]:
            view = await guess(ann, one)
            assert msgspec.json.decode(await socket.recv())["view"] == view
    yesterday = attempt_id(eve.id, today() - timedelta(days=1))
    for nothing in (yesterday, attempt_id("somebody", today())):
        with pytest.raises(websockets.InvalidStatus) as caught:
            async with eve.live(nothing):
                pass
        assert msgspec.json.decode(caught.value.response.body)["code"] == "unknown_game"


async def test_an_attempt_is_its_players_alone(ann: Player, eve: Player) -> None:
    view = await guess(ann, wrong()[0])
    for method, path, body in (
        ("GET", f"/games/{view['id']}", None),
        ("POST", f"/games/{view['id']}/guesses", {"word": "crane"}),
        ("GET", f"/games/{view['id']}/audit", None),
        ("GET", f"/games/{view['id']}/chat", None),
        ("POST", f"/games/{view['id']}/chat", {"text": "hi"}),
    ):
        await eve.refused("not_a_player", 403, method, path, body)
    assert (await eve.get("/daily"))["version"] == 0


async def test_nobody_in_particular_has_no_board(player: NewPlayer) -> None:
    nobody = player()
    for path in ("/daily", f"/daily/{today()}"):
        await nobody.refused("unauthorized", 401, "GET", path)
    await nobody.refused("unauthorized", 401, "POST", "/daily/guesses", {"word": "crane"})


@pytest.mark.parametrize("day", ["nonsense", "2025-12-31", "20260101", "2026-02-30", "9999-12-31", "0001-01-01"])
async def test_a_day_that_is_none_is_not_found(ann: Player, day: str) -> None:
    await ann.refused("unknown_day", 404, "GET", f"/daily/{day}")
    await ann.refused("unknown_day", 404, "GET", f"/daily/{day}/verify")


async def test_a_day_to_come_has_no_board_yet(ann: Player, announced: None) -> None:
    await ann.refused("unknown_day", 404, "GET", f"/daily/{today() + timedelta(days=1)}")


async def test_a_day_before_this_service_was_there_has_none(ann: Player) -> None:
    await ann.refused("unknown_day", 404, "GET", "/daily/2026-01-01")


async def test_anybody_may_check_what_a_word_will_be_held_to(player: NewPlayer, announced: None) -> None:
    nobody, now = player(), datetime.now(UTC)
    for day in (today(), today() + timedelta(days=7)):
        proof = await nobody.get(f"/daily/{day}/verify")
        secret = daily.secret_of(DAILY_KEY, day)
        assert datetime.fromisoformat(proof.pop("announced_at")) <= now
        assert proof == {"day": str(day), "commitment": secret.commitment, "word": None, "salt": None}
        assert holds(proof["commitment"], secret.word, secret.salt)
    await nobody.refused("unknown_day", 404, "GET", f"/daily/{today() + timedelta(days=8)}/verify")


async def test_a_board_is_not_sent_again_to_who_has_it(ann: Player) -> None:
    fresh = await ann.send("GET", "/daily")
    assert (await ann.send("GET", "/daily", If_None_Match=fresh.headers["etag"])).status_code == 304
    await guess(ann, wrong()[0])
    later = await ann.send("GET", "/daily", If_None_Match=fresh.headers["etag"])
    assert later.status_code == 200
    assert (await ann.send("GET", "/daily", If_None_Match=later.headers["etag"])).status_code == 304


async def test_the_list_of_games_has_the_daily_only_where_it_is_asked_for(ann: Player) -> None:
    view = await guess(ann, word())
    invite = await ann.post("/invites", {"kind": "duel", "secret": "crepe"})

    async def listed() -> Any:
        return (await ann.get("/games?kind=daily"))["games"] and (await ann.get("/games"))["games"]

    (entry,) = await until(listed)
    assert entry["id"] == invite["game"]
    (entry,) = (await ann.get("/games?kind=daily"))["games"]
    assert (entry["id"], entry["state"], entry["day"]) == (view["id"], "finished", str(today()))
    assert entry["you"] == {"guesses": 1, "solved": True, "finished": True}
    assert (await ann.refused("malformed", 400, "GET", "/games?kind=day"))["where"] == "kind"


async def test_a_guest_who_becomes_an_account_goes_on_where_it_was(ann: Player) -> None:
    view = await guess(ann, wrong()[0])
    await ann.sign_in(f"{ann.id}@example.org")
    assert await ann.get("/daily") == view
    assert (await guess(ann, word()))["id"] == view["id"]


async def test_an_account_goes_on_with_what_its_guest_has_begun(player: NewPlayer) -> None:
    account, email = await player().enter(), ""
    email = f"{account.id}@example.org"
    await account.sign_in(email)
    guest = await player().enter()
    view = await guess(guest, wrong()[0])
    assert (await account.get("/daily"))["version"] == 0
    await guest.sign_in(email)
    assert guest.id == account.id
    for device in (guest, account):  # the other browser's session was signed before the guest joined
        assert await device.get("/daily") == view
    view = await guess(account, wrong()[1])
    assert [one["word"] for one in view["guesses"]] == wrong()[:2]
    assert await guest.get("/daily") == view
    assert await log_of(account.service, account.id) == []


async def test_an_account_that_has_begun_keeps_its_own(player: NewPlayer) -> None:
    account, guest = await player().enter(), await player().enter()
    email = f"{account.id}@example.org"
    await account.sign_in(email)
    view = await guess(account, wrong()[0])
    await guess(guest, wrong()[1])
    await guest.sign_in(email)
    for device in (guest, account):
        assert await device.get("/daily") == view


async def test_of_several_guests_attempts_the_board_is_that_which_counts(player: NewPlayer) -> None:
    """What was finished first, in whichever order the guests have begun and joined."""
    account = await player().enter()
    email = f"{account.id}@example.org"
    await account.sign_in(email)
    idle, first, last = [await player().enter() for _ in range(3)]
    await guess(idle, wrong()[0])
    await guess(last, wrong()[1])
    solved = await guess(first, word())
    await guess(last, word())
    for guest in (idle, last, first):
        await guest.sign_in(email)
    for device in (account, idle, last, first):
        assert await device.get("/daily") == solved
        own = (await device.get(f"/daily/{today()}/results"))["you"]
        assert (own["state"], own["guesses"]) == ("solved", 1)
    await account.refused("finished", 409, "POST", "/daily/guesses", {"word": wrong()[2]})


async def test_an_account_that_has_been_very_many_guests_goes_on_with_what_one_has_begun(player: NewPlayer) -> None:
    account, guest = await player().enter(), await player().enter()
    email = f"{account.id}@example.org"
    await account.sign_in(email)
    view = await guess(guest, wrong()[0])
    await until(lambda: execute(guest.service, "select 1 from games.seats where player = %s", guest.id))
    await guest.sign_in(email)
    younger = [ids.new_id() for _ in range(1000)]
    join = """
    insert into players (id, name, skeleton, guest, merged_into, made_at)
    select id, 'Guest', 'guest', true, %s, now() from unnest(%s::text[]) id
    """
    await execute(account.service, join, account.id, younger)
    assert await account.get("/daily") == view
    assert len((await guess(account, wrong()[1]))["guesses"]) == 2


async def test_guests_are_told_by_network_for_one_day_and_accounts_are_not(
    ann: Player, bob: Player, eve: Player
) -> None:
    await eve.sign_in(f"{eve.id}@example.org")
    for player in (ann, bob, eve):
        await guess(player, wrong()[0])
    first, second, account = [(await log_of(ann.service, player.id))[0] for player in (ann, bob, eve)]
    assert (first["guest"], second["guest"], account["guest"]) == (True, True, False)
    assert first["origin"] == second["origin"]
    assert len(first["origin"]) == 16
    assert account["origin"] == ""
    assert "127.0.0.1" not in str(first)
