"""Results of the Daily in the tables: whose they are, which of them count, and what comes of all days."""

from collections.abc import AsyncIterator, Sequence
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import AsyncConnection

from libs.runtime.log import Record
from tests.services.solos import DAY, failed, faults, forget, found, joined, player, solved, take, unfinished

NEXT = DAY + timedelta(days=1)

Database = AsyncConnection[Any]


pytestmark = pytest.mark.usefixtures("game_tables")


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
        await forget(connection)
        yield connection
        assert await faults(connection) == []


async def distribution(database: Database, day: date = DAY) -> dict[int, int]:
    """How many have solved the day with so many guesses (7: failed)."""
    query = "select guesses, n from daily.counts where day = %s and width = 0"
    return dict(await found(database, query, day))


async def statistics(database: Database, who: str) -> tuple[Any, ...] | None:
    """Played, solved, streak, its end, longest streak."""
    query = "select played, solved, streak, streak_end, longest from daily.statistics where player = %s"
    rows = await found(database, query, player(who))
    return rows[0] if rows else None


async def results(database: Database, owner: str) -> list[tuple[Any, ...]]:
    """(who played, day, guesses, counted, shown) of an owner's results, by day."""
    query = """
    select player, day, guesses, counted, shown from daily.results where owner = %s order by day, counted desc, player
    """
    return await found(database, query, player(owner))


async def test_a_solved_day_is_a_result_in_the_distribution_and_a_day_of_the_streak(database: Database) -> None:
    await take(database, [solved("ann", 3, 61_500), failed("bob"), unfinished("eve")])
    assert await distribution(database) == {3: 1, 7: 1}
    counts = "select width, bucket, n, members from daily.counts where guesses = 3 order by width"
    assert await found(database, counts) == [(0, 0, 1, 1), (1000, 61, 1, 1), (60_000, 1, 1, 1)]
    assert await statistics(database, "ann") == (1, 1, 1, DAY, 1)
    assert await statistics(database, "bob") == (1, 0, 0, None, 0)
    assert await statistics(database, "eve") == (0, 0, 0, None, 0)
    assert await results(database, "eve") == [(player("eve"), DAY, 2, True, False)]


async def test_the_streak_goes_on_over_the_days_on_which_the_clocks_change(database: Database) -> None:
    for change in (date(2026, 3, 8), date(2026, 11, 1)):
        for days in (-1, 0, 1):
            await take(database, [solved("ann", day=change + timedelta(days=days), at=1)])
    assert await statistics(database, "ann") == (6, 6, 3, date(2026, 11, 2), 3)


async def test_a_day_that_comes_in_late_is_put_where_it_belongs(database: Database) -> None:
    """The closing of an unfinished day waits while the scheduler is down, and changes nothing of the days since."""
    await take(database, [solved("ann")], [solved("ann", day=NEXT + timedelta(days=1))])
    await take(database, [unfinished("ann", day=NEXT)])
    assert await statistics(database, "ann") == (2, 2, 1, NEXT + timedelta(days=1), 1)
    await take(database, [solved("bob")], [solved("bob", day=NEXT + timedelta(days=1))], [solved("bob", day=NEXT)])
    assert await statistics(database, "bob") == (3, 3, 3, NEXT + timedelta(days=1), 3)


async def test_guests_of_one_address_are_in_the_distribution_once_a_day(database: Database) -> None:
    await take(database, [solved("late", 2, at=20, origin="home"), solved("other", 4, origin="office")])
    await take(database, [solved("early", 5, at=10, origin="home"), solved("account", 6)])
    assert await distribution(database) == {5: 1, 4: 1, 6: 1, 2: 0} or await distribution(database) == {
        5: 1,
        4: 1,
        6: 1,
    }
    await take(database, [solved("late", 2, day=NEXT, origin="home")])
    assert await distribution(database, NEXT) == {2: 1}


async def test_guests_without_a_known_address_are_each_in_the_distribution(database: Database) -> None:
    await take(database, [solved("one", 2, origin=""), solved("two", 2, origin="")])
    assert await distribution(database) == {2: 2}


async def test_a_guest_who_is_not_shown_has_a_record_all_the_same(database: Database) -> None:
    await take(database, [solved("one", at=1, origin="home"), solved("two", at=2, origin="home")])
    assert await distribution(database) == {3: 1}
    assert await statistics(database, "two") == (1, 1, 1, DAY, 1)


async def test_an_unfinished_guest_leaves_the_place_of_the_address_to_others(database: Database) -> None:
    await take(database, [unfinished("one", origin="home"), failed("two", origin="home")])
    assert await distribution(database) == {7: 1}


async def test_a_guest_who_becomes_an_account_keeps_everything_and_is_a_member(database: Database) -> None:
    await take(database, [solved("ann", origin="home"), solved("bob", 2, at=7200, origin="home")])
    assert await found(database, "select sum(n), sum(members) from daily.counts where width = 0") == [(1, 0)]
    await take(database, [joined("ann", "ann")])
    assert await statistics(database, "ann") == (1, 1, 1, DAY, 1)
    assert await distribution(database) == {3: 1, 2: 1}  # and the address is shown by another guest
    assert await found(database, "select members from daily.counts where width = 0 and guesses = 3") == [(1,)]


async def test_a_guest_brings_results_of_days_that_the_account_does_not_have(database: Database) -> None:
    await take(database, [solved("ann", day=NEXT), solved("a guest", 4, origin="home")])
    assert await statistics(database, "ann") == (1, 1, 1, NEXT, 1)
    await take(database, [joined("ann", "a guest")])
    assert await results(database, "ann") == [
        (player("a guest"), DAY, 4, True, True),
        (player("ann"), NEXT, 3, True, True),
    ]
    assert await statistics(database, "ann") == (2, 2, 2, NEXT, 2)
    assert await statistics(database, "a guest") is None


@pytest.mark.parametrize("first", ["ann", "a guest"])
async def test_of_one_day_the_accounts_result_counts_and_the_guests_is_kept(database: Database, first: str) -> None:
    """Whichever of the two came first."""
    ends = [solved("ann", 5, at=10 if first == "ann" else 20), solved("a guest", 2, at=15, origin="home")]
    await take(database, ends)
    assert await distribution(database) == {5: 1, 2: 1}
    await take(database, [joined("ann", "a guest")])
    assert await results(database, "ann") == [
        (player("ann"), DAY, 5, True, True),
        (player("a guest"), DAY, 2, False, False),
    ]
    assert await distribution(database) == {5: 1}
    assert await statistics(database, "ann") == (1, 1, 1, DAY, 1)


async def test_an_attempt_of_the_accounts_own_counts_though_it_ends_last_and_unfinished(database: Database) -> None:
    """Else one could look at the word as a guest, or give up as an account and try again."""
    await take(database, [solved("a guest", 2, origin="home"), joined("ann", "a guest")])
    assert await distribution(database) == {2: 1}
    await take(database, [unfinished("ann", 1)])
    assert await distribution(database) == {}
    assert await statistics(database, "ann") == (0, 0, 0, None, 0)


async def test_of_several_guests_of_one_account_what_was_finished_first_counts(database: Database) -> None:
    await take(database, [solved("phone", 2, at=20, origin="a"), joined("ann", "phone")])
    await take(database, [solved("laptop", 4, at=10, origin="b"), joined("ann", "laptop")])
    assert [row[0] for row in await results(database, "ann") if row[3]] == [player("laptop")]
    assert await distribution(database) == {4: 1}


async def test_what_a_guest_ends_after_joining_is_the_accounts(database: Database) -> None:
    await take(database, [joined("ann", "a guest")], [solved("a guest", 4, origin="home")])
    assert await results(database, "ann") == [(player("a guest"), DAY, 4, True, True)]
    assert await statistics(database, "ann") == (1, 1, 1, DAY, 1)


async def test_a_guest_joins_one_account_only(database: Database, postgres_url: str) -> None:
    await take(database, [joined("ann", "a guest"), joined("ann", "a guest")])
    with pytest.raises(AssertionError):
        await take(database, [joined("bob", "a guest")])
    query = "select reason from parked where projection = 'daily'"
    assert await found(database, query) == [("the guest has joined another account",)]
    await database.execute("truncate parked")
    assert await found(database, "select account from daily.joined") == [(player("ann"),)]


async def test_the_same_end_twice_is_set_aside(database: Database) -> None:
    await take(database, [solved("ann")])
    with pytest.raises(AssertionError):
        await take(database, [solved("ann")])
    await database.execute("truncate parked")
    assert await distribution(database) == {3: 1}


def ends(day: date) -> st.SearchStrategy[list[Record]]:
    """Anything that may happen on a day: each of a few players, some of them guests of one address, may end it."""

    def end(who: str, origin: str | None) -> st.SearchStrategy[list[Record]]:
        at = st.integers(1, 5)
        return st.one_of(
            st.just([]),
            st.builds(
                lambda guesses, ms, at: [solved(who, guesses, ms, day=day, at=at, origin=origin)],
                st.integers(1, 6),
                st.sampled_from([0, 999, 60_001]),
                at,
            ),
            st.builds(lambda at: [failed(who, day=day, at=at, origin=origin)], at),
            st.just([unfinished(who, day=day, origin=origin)]),
        )

    who = [("ann", None), ("bob", None), ("one", "home"), ("two", "home"), ("three", "work"), ("four", "")]
    return st.tuples(*(end(*each) for each in who)).map(lambda some: [record for each in some for record in each])


DAYS = st.tuples(*(ends(DAY + timedelta(days=days)) for days in range(4))).map(
    lambda some: [record for each in some for record in each]
)
JOININGS = st.lists(
    st.sampled_from([("ann", "one"), ("ann", "two"), ("bob", "three"), ("four", "four")]), unique=True
).map(lambda pairs: [joined(*pair) for pair in pairs])


@st.composite
def logs(draw: st.DrawFn) -> list[list[Record]]:
    """Ends and joinings in any order, cut into batches anywhere."""
    records = draw(st.permutations(draw(DAYS) + draw(JOININGS)))
    cuts = sorted(draw(st.sets(st.integers(0, len(records)), max_size=6)))
    return [records[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(records)], strict=True)]


@given(batches=logs())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
async def test_in_any_order_of_ends_the_tables_are_what_is_counted_from_scratch(
    database: Database, batches: Sequence[Sequence[Record]]
) -> None:
    await forget(database)
    await take(database, *batches)
    assert await faults(database) == []
