"""The Daily in the game service: attempts that two copies make at once, and what an audit of the log finds."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date, timedelta

import msgspec
import pytest
from msgspec.structs import replace

from libs.core import daily, subjects
from libs.core.calls import Person
from libs.core.daily import day_id
from libs.core.games import GAMES
from libs.core.games.daily.commands import Guess
from libs.core.messages import CLOCK, Asker, Commit
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game.audit import Report, audit_all, audit_game
from services.game.snapshot import snapshot
from services.scheduler.announce import announce
from tests.services.copies import MIDNIGHT, NOON, Clock, Game, commands, copy, view
from tests.services.dailies import Attempt, events
from tests.services.tables import folded, folding, rows

DAY = date(2026, 1, 15)
WORDS = ("slate", "crane", "eerie", "allot", "sassy", "geese", "jumbo", "visit")


pytestmark = pytest.mark.usefixtures("game_tables")


@pytest.fixture
async def attempt(settings: Settings, connection: Connection, clock: Clock) -> AsyncIterator[Attempt]:
    """Nothing is guessed yet; two copies answer."""
    async with copy(settings, clock), copy(settings, clock):
        yield Attempt(connection, clock, DAY)


async def test_first_guesses_of_two_devices_that_race_make_one_attempt(attempt: Attempt, log: Log) -> None:
    answers = await asyncio.gather(*(attempt.play(word) for word in WORDS))
    taken = [answer for answer in answers if answer.refused is None]
    assert [answer.refused for answer in answers if answer.refused] == ["finished"] * 2
    assert sorted(view(answer)["version"] for answer in taken) == [1, 2, 3, 4, 5, 6]
    found = await events(log, attempt.id)
    assert [event["type"] for event in found] == ["begun", *["guessed"] * 6, "ended"]
    assert [event["number"] for event in found if event["type"] == "guessed"] == [1, 2, 3, 4, 5, 6]
    for answer in taken:
        seen = view(answer)["guesses"]
        assert [one["word"] for one in seen] == [event["word"] for event in found[1 : len(seen) + 1]]


async def test_one_guess_that_is_sent_many_times_at_once_is_taken_once(attempt: Attempt, log: Log) -> None:
    answers = await asyncio.gather(*(attempt.play("slate", "key") for _ in range(20)))
    assert {view(answer)["version"] for answer in answers} == {1}
    assert await commands(log, attempt.id) == [f"{attempt.person.id}:key"]


async def test_a_sequence_is_all_that_an_attempt_claims(attempt: Attempt, log: Log) -> None:
    before = await log.last_sequence()
    await attempt.play("slate")
    assert await log.last_sequence() == before + 1


async def test_a_guess_that_is_refused_makes_nothing(attempt: Attempt, log: Log) -> None:
    for word, day, reason in (
        ("zzzzz", DAY, "unknown_word"),
        ("cat", DAY, "letters"),
        ("slate", DAY - timedelta(days=1), "closed"),
        ("slate", DAY + timedelta(days=1), "closed"),
    ):
        assert (await attempt.play(word, day=day)).refused == reason
    assert await log.load(attempt.id) == []
    assert (await attempt.look(attempt.person.id)).refused == "unknown_game"


async def test_nobody_makes_or_plays_the_attempt_of_another(attempt: Attempt, log: Log) -> None:
    await attempt.play("slate")
    stranger = Game(attempt._connection, attempt._clock, attempt.id)
    for answer in (
        await stranger.do("eve", kind="daily", type="guess", word="crane", day=DAY),
        await stranger.do("eve", type="guess", word="crane"),
        await stranger.look("eve"),
    ):
        assert answer.refused == "not_a_player"
    assert len(await log.load(attempt.id)) == 1


async def test_an_account_goes_on_as_the_guest_that_it_was(attempt: Attempt, log: Log) -> None:
    guest = attempt.person.id
    await attempt.play("slate")
    attempt.person = Person(id=ids.new_id(), aliases=(guest,))
    assert view(await attempt.play("crane"))["version"] == 2
    assert {event["by"] for event in await events(log, attempt.id) if "by" in event} == {guest}


async def test_the_clock_and_nobody_else_tells_of_a_day(attempt: Attempt, log: Log) -> None:
    day = Game(attempt._connection, attempt._clock, day_id(DAY + timedelta(days=300)))
    announcement = {"type": "announce", "day": DAY + timedelta(days=300)}
    assert (await day.do("eve", kind="day", **announcement)).refused == "not_a_player"
    assert (await day.do("eve", kind="day", type="guess", word="crane")).refused == "not_possible"
    assert await log.load(day.id) == []
    assert (await day.do(CLOCK, kind="day", **announcement)).seen == ()


async def test_without_the_key_the_daily_is_not_played(
    settings: Settings, connection: Connection, clock: Clock
) -> None:
    async with copy(replace(settings, daily_key=""), clock):
        assert (await Attempt(connection, clock, DAY).play("slate")).refused == "not_possible"


class Played:
    """A whole day, folded: one solves, one fails, one is stopped by midnight."""

    def __init__(self, solved: Attempt, failed: Attempt, closed: Attempt) -> None:
        self.solved, self.failed, self.closed = solved, failed, closed


@pytest.fixture
async def played(settings: Settings, connection: Connection, clock: Clock, log: Log) -> AsyncIterator[Played]:
    async with copy(settings, clock), folding(log, settings.postgres_url):
        await announce(connection, clock)
        some = Played(*(Attempt(connection, clock, DAY) for _ in range(3)))
        some.failed.person = replace(some.failed.person, guest=True, origin="5f1c2a9d3b7e4c60")
        await some.solved.play("quote")
        for word in WORDS[:6]:
            clock.now += timedelta(seconds=1)
            await some.failed.play(word)
        await some.closed.play("slate")
        clock.now = MIDNIGHT
        await some.closed.wake("daily")
        await Game(connection, clock, day_id(DAY)).wake("day")
        await folded(log, settings.postgres_url)
        yield some


async def test_a_day_by_the_rules_has_no_problems(played: Played, log: Log, postgres_url: str) -> None:
    for id_ in (played.solved.id, played.failed.id, played.closed.id, day_id(DAY)):
        assert await problems(log, postgres_url, id_) == []
    report = await everything(log, postgres_url)
    assert (report.problems, report.rest) == ({}, [])
    assert rows(postgres_url, "select * from parked") == []


async def test_attempts_are_games_without_an_outcome_and_days_are_no_games(played: Played, postgres_url: str) -> None:
    query = "select state, due, guesses, solved, finished from games.games join games.seats on game = id where id = %s"
    for attempt, right in (
        (played.solved, ("over", None, 1, True, True)),
        (played.failed, ("over", None, 6, False, True)),
        (played.closed, ("over", None, 1, False, False)),
    ):
        (row,) = rows(postgres_url, query, attempt.id)
        assert tuple(row.values()) == right
        assert rows(postgres_url, "select * from results.results where game = %s", attempt.id) == []
        assert rows(postgres_url, "select * from results.playing where game = %s", attempt.id) == []
    assert rows(postgres_url, "select * from games.games where id = %s", day_id(DAY)) == []


async def problems(log: Log, url: str, game: str) -> list[str]:
    async with snapshot(url) as now:
        return list((await audit_game(log, now, game)).problems)


async def everything(log: Log, url: str) -> Report:
    async with snapshot(url) as now:
        return await audit_all(log, now, lambda *_: None)


async def test_an_attempt_that_was_played_for_another_word_is_named(
    played: Played, connection: Connection, clock: Clock, log: Log, postgres_url: str
) -> None:
    """Its copy of the service had another key than the one that told of the days."""
    forged = Attempt(connection, clock, DAY)
    other = daily.secret_of(b"a key that no day was promised by", DAY)
    decided = GAMES["daily"].decide(
        GAMES["daily"].start,
        Guess(word=other.word),
        Asker(by=forged.person.id, daily_key=b"a key that no day was promised by"),
        NOON,
    )
    commit = Commit(id=f"{forged.person.id}:1", by=forged.person.id, digest="", at=NOON, events=decided)
    await log.append(subjects.game("daily", forged.id), msgspec.json.encode(commit), 0, commit.id)
    await folded(log, postgres_url)
    found = [
        "it was played for another commitment than the one that was published for its day",
        "it was played for another word than the one that was revealed for its day",
    ]
    assert await problems(log, postgres_url, forged.id) == found
    assert (await everything(log, postgres_url)).problems == {forged.id: found}
