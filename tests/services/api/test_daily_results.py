"""Results of the Daily over HTTP: the leaderboard and its places, percentiles, rivals, statistics, the calendar."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from typing import Any

import pytest

from libs.core.calendar import eastern_day
from libs.core.daily import attempt_id
from libs.runtime import bus, ids
from libs.runtime.clock import clock
from libs.runtime.log import Log, Record
from tests.services import solos
from tests.services.api.conftest import NewPlayer
from tests.services.api.player import Player, execute, rivals
from tests.services.api.service import Service
from tests.services.api.test_daily import guess, word, wrong
from tests.services.solos import failed, solved, unfinished
from tests.until import until

DAY = date(2026, 5, 1)


def today() -> date:
    return eastern_day(clock()())


@pytest.fixture
async def log(service: Service) -> AsyncIterator[Log]:
    connection = await bus.connect(service.settings, "test")
    yield Log(connection)
    await connection.close()


@pytest.fixture
def email() -> str:
    return f"{ids.new_id()}@example.org"


async def write(service: Service, log: Log, *records: Record) -> None:
    """Let these ends of attempts be in the log and in the tables."""
    await solos.write(log, *records)
    games = [record.game for record in records]
    query = "select 1 from daily.results where game = any(%s::uuid[])"

    async def folded() -> bool:
        return len(await execute(service, query, games)) == len(games)

    await until(folded)


async def places(player: Player, day: date, query: str = "") -> list[Any]:
    found = await player.get(f"/daily/{day}/results{query}")
    return [(entry["place"], entry["player"]["id"]) for entry in found["board"]]


async def test_nobody_sees_results_of_a_day_that_they_have_not_finished(ann: Player, player: NewPlayer) -> None:
    for what in ("results", "rivals"):
        await ann.refused("not_finished", 409, "GET", f"/daily/{today()}/{what}")
    await guess(ann, wrong()[0])
    for what in ("results", "rivals"):
        await ann.refused("not_finished", 409, "GET", f"/daily/{today()}/{what}")
    await player().refused("not_finished", 409, "GET", f"/daily/{today()}/results")
    await player().refused("unauthorized", 401, "GET", f"/daily/{today()}/rivals")
    for day in ("2025-12-31", today() + timedelta(days=1), "2026-1-1", "yesterday"):
        await ann.refused("unknown_day", 404, "GET", f"/daily/{day}/results")


async def test_who_has_finished_sees_the_results_at_once(ann: Player) -> None:
    await guess(ann, wrong()[0])
    view = await guess(ann, word())
    first = await ann.get(f"/daily/{today()}/results")  # whether the tables have it yet or not
    own = {"state": "solved", "guesses": 2, "elapsed_ms": view["elapsed_ms"], "place": None}
    assert first["day"] == str(today())
    assert own.items() <= first["you"].items()
    assert first["finished"] == sum(first["distribution"].values()) >= 1
    assert 0 < first["percentile"] < 100
    assert list(first["distribution"]) == ["1", "2", "3", "4", "5", "6", "failed"]


async def test_a_second_guest_of_an_address_is_not_counted_even_at_once(ann: Player, bob: Player) -> None:
    view = await guess(ann, word())
    query = "select 1 from daily.results where game = %s"
    await until(lambda: execute(ann.service, query, view["id"]))
    before = await ann.get(f"/daily/{today()}/results")
    await guess(bob, word())
    at_once = await bob.get(f"/daily/{today()}/results")
    assert (at_once["finished"], at_once["distribution"]) == (before["finished"], before["distribution"])
    assert (at_once["you"]["state"], at_once["percentile"] > 0) == ("solved", True)
    assert at_once["you"]["counted"] is False


async def test_ones_own_record_has_todays_result_at_once(ann: Player) -> None:
    """Whether the tables have it yet or not."""
    view = await guess(ann, word())
    found = await ann.get("/daily/statistics")
    result = {"day": str(today()), "game": view["id"], "state": "solved", "guesses": 1, "elapsed_ms": 0}
    assert (found["played"], found["solved"], found["streak"], found["longest_streak"]) == (1, 1, 1, 1)
    assert (found["histogram"]["1"], found["days"]) == (1, [result])
    month = await ann.get(f"/daily/calendar?month={today():%Y-%m}")
    assert month["days"][-1] == {"day": str(today()), "result": result, "word": None}


async def test_a_day_that_is_over_is_open_to_anybody(service: Service, log: Log, player: NewPlayer) -> None:
    day = DAY
    await write(service, log, solved("one", 2, day=day), solved("two", 4, day=day), failed("three", day=day))
    found = await player().get(f"/daily/{day}/results")
    assert found["distribution"] == {"1": 0, "2": 1, "3": 0, "4": 1, "5": 0, "6": 0, "failed": 1}
    assert (found["finished"], found["you"], found["percentile"], found["next"]) == (3, None, None, None)
    assert [entry["guesses"] for entry in found["board"]] == [2, 4]  # who failed has no place


async def test_equals_share_a_place_and_stand_in_the_order_in_which_they_finished(
    service: Service, log: Log, ann: Player
) -> None:
    day = DAY + timedelta(days=1)
    await write(
        service,
        log,
        solved("last", 4, 1, day=day, at=1),
        solved("third", 3, 5_000, day=day, at=30),
        solved("second", 3, 5_000, day=day, at=20),
        solved("first", 2, 900_000, day=day, at=99),
        solved("fourth", 3, 5_000, day=day, at=40),
        solved("fifth", 3, 5_001, day=day, at=10),
        solved("a guest", 1, 0, day=day, at=5, origin="home"),
    )
    right = [(1, "first"), (2, "second"), (2, "third"), (2, "fourth"), (5, "fifth"), (6, "last")]
    assert await places(ann, day) == [(place, solos.player(who)) for place, who in right]
    for limit in (1, 2, 3, 5):  # the same, wherever the pages are cut
        paged, query = [], f"?limit={limit}"
        while True:
            found = await ann.get(f"/daily/{day}/results{query}")
            assert len(found["board"]) <= limit
            paged += [(entry["place"], entry["player"]["id"]) for entry in found["board"]]
            if found["next"] is None:
                break
            query = f"?limit={limit}&cursor={found['next']}"
        assert paged == [(place, solos.player(who)) for place, who in right]


async def test_the_percentile_counts_equals_half_and_guests_too(
    service: Service, log: Log, ann: Player, bob: Player, eve: Player
) -> None:
    day = DAY + timedelta(days=2)
    await ann.sign_in(f"{ids.new_id()}@example.org")
    await write(
        service,
        log,
        solved("best", 1, 0, day=day),
        solved(ann.id, 3, 5_000, day=day),
        solved(bob.id, 3, 5_000, day=day, origin="home"),
        solved("a guest", 3, 5_100, day=day, origin="office"),
        failed(eve.id, day=day, origin="library"),
        failed("other", day=day),
        unfinished("idle", day=day),
    )
    for who, right, place in ((ann, 66.67, 2), (bob, 66.67, None), (eve, 16.67, None)):
        found = await who.get(f"/daily/{day}/results")
        assert (found["finished"], found["percentile"], found["you"]["place"]) == (6, right, place)
        assert found["you"]["counted"] is True


async def test_a_guest_whose_address_is_shown_by_another_has_a_percentile_all_the_same(
    service: Service, log: Log, ann: Player
) -> None:
    day = DAY + timedelta(days=3)
    await write(
        service,
        log,
        solved("one", 4, day=day, at=1, origin="home"),
        solved(ann.id, 3, day=day, at=2, origin="home"),
    )
    found = await ann.get(f"/daily/{day}/results")
    assert (found["finished"], found["distribution"]["3"], found["percentile"]) == (1, 0, 75.0)
    assert (found["you"]["state"], found["you"]["counted"]) == ("solved", False)


async def test_an_unfinished_day_has_no_percentile(service: Service, log: Log, ann: Player) -> None:
    day = DAY + timedelta(days=4)
    await write(service, log, unfinished(ann.id, 3, day=day, origin="home"))
    found = await ann.get(f"/daily/{day}/results")
    own = {"state": "closed", "guesses": 3, "elapsed_ms": None, "place": None, "counted": False}
    assert found["you"] == own
    assert (found["finished"], found["percentile"]) == (0, None)


async def test_a_deleted_player_keeps_the_place_and_has_no_name(
    service: Service, log: Log, ann: Player, bob: Player, email: str
) -> None:
    day = DAY + timedelta(days=5)
    await ann.sign_in(email)
    await write(service, log, solved(ann.id, day=day))
    [entry] = (await bob.get(f"/daily/{day}/results"))["board"]
    assert entry["player"] == {"id": ann.id, "name": ann.name}
    assert (await ann.send("DELETE", "/me", {"name": ann.name})).status_code == 204

    async def unnamed() -> bool:
        [entry] = (await bob.get(f"/daily/{day}/results"))["board"]
        return bool(entry["player"] == {"id": ann.id, "name": None})

    await until(unnamed)


async def test_rivals_are_compared_the_best_first(
    service: Service, log: Log, ann: Player, bob: Player, eve: Player, player: NewPlayer
) -> None:
    day = DAY + timedelta(days=6)
    dan = await player().enter()
    for one in (ann, bob, eve, dan):
        await one.sign_in(f"{ids.new_id()}@example.org")
    for other in (bob, eve, dan):
        await rivals(ann, other)
    await write(service, log, failed(bob.id, day=day), solved(dan.id, 5, 7_000, day=day), solved("stranger", day=day))
    found = await ann.get(f"/daily/{day}/rivals")
    assert [
        (entry["player"]["id"], entry["state"], entry["guesses"], entry["elapsed_ms"]) for entry in found["rivals"]
    ] == [
        (dan.id, "solved", 5, 7_000),
        (bob.id, "failed", 6, None),
        (eve.id, None, None, None),
    ]
    await ann.post("/blocks", {"player_id": bob.id})
    found = await ann.get(f"/daily/{day}/rivals")
    assert [entry["player"]["id"] for entry in found["rivals"]] == [dan.id, eve.id]


async def test_statistics_are_those_of_all_days(service: Service, log: Log, ann: Player) -> None:
    empty = await ann.get("/daily/statistics")
    assert (empty["played"], empty["streak"], empty["longest_streak"], empty["days"]) == (0, 0, 0, [])
    assert empty["histogram"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0, "6": 0, "failed": 0}
    yesterday = today() - timedelta(days=1)
    days = [yesterday - timedelta(days=back) for back in (5, 4, 3, 1, 0)]
    await write(
        service,
        log,
        *(solved(ann.id, 3, day=day, origin="home") for day in days[:3]),
        failed(ann.id, day=yesterday - timedelta(days=2), origin="home"),
        *(solved(ann.id, 4, day=day, origin="home") for day in days[3:]),
    )
    found = await ann.get("/daily/statistics")
    assert (found["played"], found["solved"], found["streak"], found["longest_streak"]) == (6, 5, 2, 3)
    assert found["histogram"] == {**empty["histogram"], "3": 3, "4": 2, "failed": 1}
    assert found["days"][0] == {
        "day": str(yesterday),
        "game": attempt_id(ann.id, yesterday),
        "state": "solved",
        "guesses": 4,
        "elapsed_ms": 60_000,
    }
    assert [entry["day"] for entry in found["days"]] == sorted((entry["day"] for entry in found["days"]), reverse=True)


async def test_the_calendar_has_every_day_with_ones_own_result(service: Service, log: Log, ann: Player) -> None:
    played = date(2026, 2, 3)
    await write(service, log, solved(ann.id, day=played, origin="home"))
    await execute(
        service,
        "insert into daily.days values ('2026-02-03', %s, '', now(), 'crane', '') on conflict do nothing",
        ids.new_id(),
    )
    found = await ann.get("/daily/calendar?month=2026-02")
    assert [entry["day"] for entry in found["days"]] == [str(date(2026, 2, day)) for day in range(1, 29)]
    assert found["days"][2] == {
        "day": "2026-02-03",
        "result": {
            "day": "2026-02-03",
            "game": attempt_id(ann.id, played),
            "state": "solved",
            "guesses": 3,
            "elapsed_ms": 60_000,
        },
        "word": "crane",
    }
    assert all(entry["result"] is None for entry in found["days"] if entry["day"] != str(played))
    this_month = await ann.get(f"/daily/calendar?month={today():%Y-%m}")
    assert this_month["days"][-1] == {"day": str(today()), "result": None, "word": None}
    for month in ("2025-12", "9999-11"):
        assert (await ann.get(f"/daily/calendar?month={month}"))["days"] == []


async def test_who_is_nobody_yet_sees_which_days_had_a_word(service: Service, player: NewPlayer) -> None:
    await execute(
        service,
        "insert into daily.days values ('2026-03-05', %s, '', now(), 'crane', '') on conflict do nothing",
        ids.new_id(),
    )
    days = (await player().get("/daily/calendar?month=2026-03"))["days"]
    assert {entry["day"]: entry["word"] for entry in days if entry["word"]} == {"2026-03-05": "crane"}
    assert [entry["result"] for entry in days] == [None] * 31


@pytest.mark.parametrize("month", ["", "2026", "2026-13", "2026-1", "0000-01", "9999-12x", "٢٠٢٦-٠١"])
async def test_what_is_no_month_is_refused(ann: Player, month: str) -> None:
    assert (await ann.refused("malformed", 400, "GET", f"/daily/calendar?month={month}"))["where"] == "month"


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("cursor=x", "cursor"),
        ("cursor=gA", "cursor"),
        ("cursor=é", "cursor"),
    ],
)
async def test_what_is_no_page_is_refused(ann: Player, query: str, where: str) -> None:
    assert (await ann.refused("malformed", 400, "GET", f"/daily/{DAY}/results?{query}"))["where"] == where


async def played(player: Player, found: int) -> bool:
    return bool((await player.get("/daily/statistics"))["played"] == found)


async def test_a_guest_who_becomes_an_account_is_on_the_board_with_what_they_have_solved(
    ann: Player, email: str
) -> None:
    await guess(ann, word())
    assert (await ann.get(f"/daily/{today()}/results"))["you"]["place"] is None
    await ann.sign_in(email)
    found = await ann.get(f"/daily/{today()}/results?limit=100")  # at once, whether the log was told of it or not
    assert found["you"]["place"] == 1  # found with the first guess
    assert [entry["player"] for entry in found["board"]].count({"id": ann.id, "name": ann.name}) == 1


async def test_ones_own_row_is_on_the_board_though_the_tables_lack_it(
    service: Service, log: Log, ann: Player, bob: Player, email: str
) -> None:
    """A guest has joined the account, and the projection has not heard of it."""
    day = DAY + timedelta(days=7)
    await ann.sign_in(email)
    await write(
        service,
        log,
        solved("best", 2, day=day),
        solved("equal", 3, 5_000, day=day, at=10),
        solved(bob.id, 3, 5_000, day=day, at=20, origin="home"),
        solved("next", 3, 5_001, day=day),
        solved("last", 5, day=day),
    )
    await execute(service, "update players set merged_into = %s where id = %s", ann.id, bob.id)
    await ann.sign_in(email)
    right = [(1, "best"), (2, "equal"), (2, ann.id), (4, "next"), (5, "last")]
    for limit in (1, 2, 3, 4, 5, 20):
        paged, query = [], f"?limit={limit}"
        while query:
            found = await ann.get(f"/daily/{day}/results{query}")
            assert (found["you"]["place"], found["finished"]) == (2, 5)
            paged += [(entry["place"], entry["player"]["id"]) for entry in found["board"]]
            query = f"?limit={limit}&cursor={found['next']}" if found["next"] else ""
        assert paged == [(place, solos.player(who)) for place, who in right]


async def test_a_guest_brings_the_results_of_this_browser_along(ann: Player, player: NewPlayer, email: str) -> None:
    account = await player().sign_in(email)
    await guess(ann, word())
    guest = ann.id
    await ann.sign_in(email)
    assert ann.id == account.id != guest
    await until(lambda: played(account, 1))
    [day] = (await account.get("/daily/statistics"))["days"]
    assert (day["day"], day["game"]) == (str(today()), attempt_id(guest, today()))
    assert (await account.get(f"/daily/{today()}/results"))["you"]["state"] == "solved"


async def test_of_one_day_the_accounts_result_counts(ann: Player, player: NewPlayer, email: str) -> None:
    account = await player().sign_in(email)
    await guess(account, wrong()[0])
    await guess(account, word())
    await guess(ann, word())
    guest = ann.id
    await ann.sign_in(email)
    query = "select counted from daily.results where owner = %s order by player = owner"

    async def both() -> bool:
        return await execute(ann.service, query, account.id) == [(False,), (True,)]

    await until(both)
    found = await ann.get("/daily/statistics")
    assert (found["played"], found["histogram"]["1"], found["histogram"]["2"]) == (1, 0, 1)
    listed = (await ann.get("/games?kind=daily"))["games"]  # the guest's stays, marked
    assert {entry["id"]: entry["counted"] for entry in listed} == {
        attempt_id(account.id, today()): True,
        attempt_id(guest, today()): False,
    }
