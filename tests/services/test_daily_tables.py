"""The Daily from the log into its tables: folded, rebuilt, and compared by an auditor."""

from collections.abc import AsyncIterator
from datetime import date, timedelta

import msgspec
import pytest
from msgspec import Raw

from libs.core import daily
from libs.core.calendar import close_of
from libs.core.calls import Answer, Do, Look, Person, Wake
from libs.core.daily import day_id
from libs.core.messages import CLOCK
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.audit import Report, audit_all, audit_game
from services.game.projections import Daily
from services.game.snapshot import snapshot
from tests.given import DAILY_KEY
from tests.services.copies import NOON, Clock, Game, copy, view
from tests.services.dailies import Attempt
from tests.services.tables import folded, folding, rows

DAY = date(2026, 1, 15)
WORD = daily.secret_of(DAILY_KEY, DAY).word


pytestmark = pytest.mark.usefixtures("game_tables")


class People:
    """An account and a guest who have solved the day, and what more they do."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self.call = Game(connection, clock).call
        self._clock = clock
        self.ann, self.guest = ids.new_id(), ids.new_id()
        self.own = Attempt(connection, clock, DAY, Person(id=self.ann))  # type: ignore[arg-type]
        guest = Person(id=self.guest, guest=True, origin="home")
        self.guests = Attempt(connection, clock, DAY, guest)  # type: ignore[arg-type]

    async def join(self, guest: str, account: str, by: Person | None = None) -> Answer:
        """Let a guest be a part of an account."""
        command = Raw(msgspec.json.encode({"type": "join", "guest": guest}))
        person = by or Person(id=account)
        call = Do(game=account, by=person, key=f"join:{guest}", received=self._clock(), command=command, kind="person")
        return await self.call(call)


@pytest.fixture
async def people(settings: Settings, connection: Connection, clock: Clock, log: Log) -> AsyncIterator[People]:
    people = People(connection, clock)
    async with copy(settings, clock), folding(log, settings.postgres_url):
        for attempt in (people.own, people.guests):
            assert (await attempt.play("slate")).refused is None
            clock.now = NOON + timedelta(seconds=61, milliseconds=500)
            assert (await attempt.play(WORD)).refused is None
            clock.now = NOON
        await folded(log, settings.postgres_url)
        yield people


async def audit(log: Log, url: str) -> Report:
    async with snapshot(url) as now:
        return await audit_all(log, now, lambda *_: None)


async def problems(log: Log, url: str, game: str) -> list[str]:
    async with snapshot(url) as now:
        return list((await audit_game(log, now, game)).problems)


async def test_a_solved_attempt_and_a_joining_have_their_rows(people: People, log: Log, postgres_url: str) -> None:
    query = "select * from daily.results where game = %s"
    (row,) = rows(postgres_url, query, people.guests.id)
    assert (row["day"], row["guesses"], row["elapsed_ms"], row["solved"]) == (DAY, 2, 61_500, True)
    assert (row["owner"], row["member"], row["counted"], row["shown"]) == (people.guest, False, True, True)
    assert (await people.join(people.guest, people.ann)).refused is None
    assert (await people.join(people.guest, people.ann)).refused is None  # as often as one likes
    assert len(await log.load(people.ann)) == 1
    await folded(log, postgres_url)
    (row,) = rows(postgres_url, query, people.guests.id)
    assert (row["owner"], row["member"], row["counted"], row["shown"]) == (people.ann, True, False, False)
    assert await rebuild.check(postgres_url, log, Daily, lambda *_: None) == []


async def test_a_person_is_nobody_elses_business(people: People) -> None:
    await people.join(people.guest, people.ann)
    stranger = Person(id=ids.new_id())
    assert (await people.join(ids.new_id(), people.ann, by=stranger)).refused == "not_a_player"
    assert (await people.call(Look(game=people.ann, by=stranger))).refused == "not_a_player"
    own = view(await people.call(Look(game=people.ann, by=Person(id=people.ann))))
    assert own["guests"] == [people.guest]


async def test_a_day_has_its_commitment_before_and_its_word_after(
    people: People, log: Log, postgres_url: str, clock: Clock
) -> None:
    announce = Do(
        game=day_id(DAY),
        by=Person(id=CLOCK),
        key=f"announce:{DAY}",
        received=clock(),
        command=Raw(msgspec.json.encode({"type": "announce", "day": DAY})),
        kind="day",
    )
    query = "select commitment, announced_at, word, salt from daily.days where day = %s"
    secret = daily.secret_of(DAILY_KEY, DAY)
    await people.call(announce)
    await folded(log, postgres_url)
    assert [tuple(row.values()) for row in rows(postgres_url, query, DAY)] == [(secret.commitment, NOON, None, None)]
    clock.now = close_of(DAY)
    await people.call(Wake(game=day_id(DAY), kind="day"))
    await folded(log, postgres_url)
    assert [tuple(row.values()) for row in rows(postgres_url, query, DAY)] == [
        (secret.commitment, NOON, secret.word, secret.salt)
    ]


async def test_all_is_right_in_one_attempt_and_in_all(people: People, log: Log, postgres_url: str) -> None:
    await people.join(people.guest, people.ann)
    await folded(log, postgres_url)
    assert await problems(log, postgres_url, people.guests.id) == []
    assert await problems(log, postgres_url, people.ann) == []
    report = await audit(log, postgres_url)
    assert (report.problems, report.rest) == ({}, [])


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        ("update daily.results set guesses = 1 where game = %s", "daily.results ({own}): guesses is 1 and must be 2"),
        ("delete from daily.results where game = %s", "daily.results ({own}): there is no such row"),
    ],
)
async def test_a_tampered_result_is_named(people: People, log: Log, postgres_url: str, tamper: str, said: str) -> None:
    rows(postgres_url, tamper, people.own.id)  # type: ignore[arg-type]
    assert await problems(log, postgres_url, people.own.id) == [said.format(own=people.own.id)]
    await rebuild.rebuild(postgres_url, log, Daily, lambda *_: None)
    assert (await audit(log, postgres_url)).problems == {}


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (
            "update daily.results set counted = false where owner = %s",
            "daily.results ({own}): counted is False and must be True",
        ),
        (
            "update daily.statistics set longest = 9 where player = %s",
            "daily.statistics ({ann}): longest is 9 and must be 1",
        ),
        ("delete from daily.statistics where player = %s", "daily.statistics ({ann}): there is no such row"),
        (
            "insert into daily.counts values ('2026-01-14', 2, 0, 0, length(left(%s, 1)), 0)",
            "daily.counts (2026-01-14, 2, 0, 0): a row too many",
        ),
    ],
)
async def test_tampered_totals_are_named(people: People, log: Log, postgres_url: str, tamper: str, said: str) -> None:
    rows(postgres_url, tamper, people.ann)  # type: ignore[arg-type]
    report = await audit(log, postgres_url)
    assert said.format(own=people.own.id, ann=people.ann) in report.rest
    assert report.problems == {}
    assert await rebuild.check(postgres_url, log, Daily, lambda *_: None) != []
    await rebuild.rebuild(postgres_url, log, Daily, lambda *_: None)
    assert (await audit(log, postgres_url)).rest == []


async def test_a_joining_that_is_in_the_tables_alone_is_named(people: People, log: Log, postgres_url: str) -> None:
    rows(
        postgres_url,
        "insert into daily.joined values (%s, %s, %s)",
        people.guest,
        people.ann,
        people.ann,
    )
    said = "daily.joined: 1 rows of games that are not in the log"
    assert said in (await audit(log, postgres_url)).rest
    rows(postgres_url, "delete from daily.joined where guest = %s", people.guest)
