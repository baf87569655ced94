"""The Daily over midnight, with two schedulers and two copies of the game service."""

from datetime import UTC, date, datetime, timedelta

from libs.core import daily
from libs.core.calendar import begin_of, close_of
from libs.core.commitments import holds
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from tests.given import DAILY_KEY
from tests.services.dailies import Attempt, events, told
from tests.services.scheduler.test_midnight import service
from tests.until import until

DAY, NEXT = date(2026, 1, 15), date(2026, 1, 16)
MIDNIGHT = close_of(DAY)


def word(day: date) -> str:
    return daily.secret_of(DAILY_KEY, day).word


async def test_the_commitments_of_a_week_are_published_before_and_opened_after(
    settings: Settings, connection: Connection, log: Log
) -> None:
    async with service(settings, MIDNIGHT - timedelta(seconds=6)) as now:
        week = [DAY + timedelta(days=place) for place in range(8)]
        announced = [await until(lambda day=day: told(connection, now, day)) for day in week]
        for day, found in zip(week, announced, strict=True):
            assert found["commitment"] == daily.secret_of(DAILY_KEY, day).commitment
            assert (found["word"], found["salt"]) == (None, None)
            assert datetime.fromisoformat(found["announced_at"]) < begin_of(NEXT)
        assert await told(connection, now, DAY + timedelta(days=8)) is None

        async def opened() -> bool:
            return (await told(connection, now, DAY))["word"] is not None

        await until(opened, 20)
        found = await told(connection, now, DAY)
        assert found["commitment"] == announced[0]["commitment"]
        assert found["word"] == word(DAY)
        assert holds(found["commitment"], found["word"], found["salt"])
        assert (await told(connection, now, NEXT))["word"] is None
        assert [event["type"] for event in await events(log, daily.day_id(DAY))] == ["announced", "revealed"]
        assert datetime.fromisoformat((await events(log, daily.day_id(DAY)))[1]["at"]) == MIDNIGHT


async def test_midnight_closes_what_is_unfinished_and_nothing_else(
    settings: Settings, connection: Connection, log: Log
) -> None:
    async with service(settings, MIDNIGHT - timedelta(seconds=4)) as now:
        idle, solved = (Attempt(connection, now, DAY) for _ in range(2))
        for attempt, guess in ((idle, "slate"), (solved, word(DAY))):
            assert (await attempt.play(guess)).refused is None
        await until(lambda: _closed(idle), 20)
        assert datetime.fromisoformat((await events(log, idle.id))[-1]["at"]) == MIDNIGHT
        assert (await idle.seen())["word"] == word(DAY)
        assert (await idle.play("crane")).refused == "closed"
        assert (await solved.seen())["state"] == "solved"
        assert [event["type"] for event in await events(log, solved.id)] == ["begun", "guessed", "ended"]
        tomorrow = Attempt(connection, now, NEXT, idle.person)
        assert (await tomorrow.play(word(NEXT))).refused is None
        assert (await tomorrow.seen())["elapsed_ms"] == 0


async def test_what_was_received_before_midnight_counts_though_it_comes_in_after(
    settings: Settings, connection: Connection, log: Log
) -> None:
    async with service(settings, MIDNIGHT - timedelta(seconds=1)) as now:
        late, first, on_time = (Attempt(connection, now, DAY) for _ in range(3))
        await late.play("slate")

        async def over() -> bool:
            return now() > MIDNIGHT + timedelta(seconds=0.2)

        await until(over)
        assert (await late.play("crane", received=MIDNIGHT)).refused == "closed"
        assert (await first.play("crane", received=MIDNIGHT)).refused == "closed"
        for attempt in (late, on_time):
            assert (await attempt.play("crane", received=MIDNIGHT - timedelta(microseconds=1))).refused is None
        assert [event["type"] for event in await events(log, late.id)] == ["begun", "guessed", "guessed"]
        await until(lambda: _closed(late), 20)
        await until(lambda: _closed(on_time), 20)


async def test_a_stamp_that_is_too_old_is_not_believed(settings: Settings, connection: Connection, log: Log) -> None:
    async with service(settings, MIDNIGHT + timedelta(seconds=30)) as now:
        attempt = Attempt(connection, now, DAY)
        assert (await attempt.play("crane", received=MIDNIGHT - timedelta(seconds=1))).refused == "closed"
        assert await log.load(attempt.id) == []


async def test_days_that_ended_while_all_were_down_are_opened_at_start(
    settings: Settings, connection: Connection
) -> None:
    async with service(settings, datetime(2026, 3, 7, 23, 59, 50, tzinfo=UTC)) as now:
        day = date(2026, 3, 8)  # it has 23 hours
        await until(lambda: told(connection, now, day))
    async with service(settings, datetime(2026, 3, 10, tzinfo=UTC)) as now:

        async def opened() -> bool:
            return (await told(connection, now, day))["word"] == word(day)

        await until(opened, 20)


async def _closed(attempt: Attempt) -> bool:
    return bool((await attempt.seen())["state"] == "closed")
