"""Games of guests who join an account later count in its record against rivals, one for each day."""

from collections.abc import AsyncIterator, Sequence
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid5

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import AsyncConnection

from libs.core.calendar import begin_of, close_of
from libs.core.facts import Outcome
from libs.core.games.duel.events import DuelEvent, Ended, Joined, Opened, Score, Started
from libs.runtime.log import Record
from services.game.projections import Results
from tests.services import solos
from tests.services.solos import DAY, found, joined, player, record

NEXT = DAY + timedelta(days=1)
REVERSED: dict[str, Outcome] = {
    "win": "loss",
    "loss": "win",
    "draw": "draw",
    "none": "none",
    "not_counted": "not_counted",
}

Database = AsyncConnection[Any]


def duel(
    one: str, other: str, outcome: Outcome = "win", *, day: date = DAY, at: int = 1, guests: Sequence[str] = ()
) -> list[Record]:
    """The begin and the end, so many minutes into the day, of a game; `outcome` as the first of both sees it."""
    first, second = player(one), player(other)
    game = str(uuid5(UUID(int=0), f"{one} {other} {day} {at}"))
    begin, end = begin_of(day), begin_of(day) + timedelta(minutes=at)
    rivals = one not in guests and other not in guests
    begun: list[DuelEvent] = [
        Opened(at=begin, game=game, maker=first, guest=one in guests, words="", expires_at=None),
        Joined(at=begin, player=second, guest=other in guests),
        Started(at=begin, day=day, closes_at=close_of(day), players=(first, second), rivals=rivals),
    ]
    scores = (
        Score(player=first, outcome=outcome, guesses=3, solved=outcome == "win"),
        Score(player=second, outcome=REVERSED[outcome], guesses=3, solved=outcome == "loss"),
    )
    return [record("duel", game, *begun), record("duel", game, Ended(at=end, scores=scores))]


pytestmark = pytest.mark.usefixtures("game_tables")


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
        await solos.forget(connection, Results)
        yield connection
        assert await solos.faults(connection, Results) == []


async def take(database: Database, *batches: Sequence[Record]) -> None:
    await solos.take(database, *batches, projection=Results)


async def against(database: Database, who: str, rival: str) -> tuple[Any, ...] | None:
    """Wins, losses, draws, played, and the day of the last game; none if they are no rivals."""
    query = "select wins, losses, draws, played, last_day from results.rivals where player = %s and rival = %s"
    rows = await found(database, query, player(who), player(rival))
    return rows[0] if rows else None


async def test_a_guest_who_becomes_an_account_is_a_rival_of_who_played_them(database: Database) -> None:
    await take(database, duel("ann", "bob", guests=["ann"]))
    assert await against(database, "ann", "bob") is None
    await take(database, [joined("ann", "ann")])
    assert await against(database, "ann", "bob") == (1, 0, 0, 1, DAY)
    assert await against(database, "bob", "ann") == (0, 1, 0, 1, DAY)


async def test_a_guest_brings_games_into_the_accounts_record(database: Database) -> None:
    await take(database, duel("ann", "bob", day=NEXT), duel("a guest", "bob", "draw", guests=["a guest"]))
    await take(database, [joined("ann", "a guest")])
    assert await against(database, "ann", "bob") == (1, 0, 1, 2, NEXT)
    assert await against(database, "bob", "ann") == (0, 1, 1, 2, NEXT)


@pytest.mark.parametrize("own_at", [1, 9])
async def test_of_one_day_the_accounts_game_counts_and_the_guests_is_kept(database: Database, own_at: int) -> None:
    own, guests = duel("ann", "bob", "loss", at=own_at), duel("a guest", "bob", "win", at=5, guests=["a guest"])
    await take(database, own[:1], guests, [joined("ann", "a guest")], own[1:])
    assert await against(database, "ann", "bob") == (0, 1, 0, 1, DAY)
    kept = "select outcome, owner, recorded from results.results where player = %s"
    assert await found(database, kept, player("a guest")) == [("win", player("ann"), False)]


async def test_an_own_game_in_which_nobody_guessed_is_no_result(database: Database) -> None:
    await take(database, duel("ann", "bob", "not_counted"), duel("a guest", "bob", "win", guests=["a guest"]))
    await take(database, [joined("ann", "a guest")])
    assert await against(database, "ann", "bob") == (1, 0, 0, 1, DAY)


async def test_of_several_guests_games_of_one_day_what_ended_first_counts(database: Database) -> None:
    phone = duel("phone", "bob", "win", at=9, guests=["phone"])
    laptop = duel("laptop", "bob", "loss", at=5, guests=["laptop"])
    await take(database, phone, [joined("ann", "phone")])
    assert await against(database, "ann", "bob") == (1, 0, 0, 1, DAY)
    await take(database, laptop, [joined("ann", "laptop")])
    assert await against(database, "ann", "bob") == (0, 1, 0, 1, DAY)


async def test_two_guests_become_rivals_once_both_have_joined(database: Database) -> None:
    await take(database, duel("one", "other", guests=["one", "other"]), [joined("ann", "one")])
    assert await against(database, "ann", "bob") is None
    await take(database, [joined("bob", "other")])
    assert await against(database, "ann", "bob") == (1, 0, 0, 1, DAY)


async def test_nobody_is_a_rival_of_oneself(database: Database) -> None:
    await take(database, duel("ann", "a guest", guests=["a guest"]), [joined("ann", "a guest")])
    assert await found(database, "select * from results.rivals") == []


async def test_a_game_that_ends_after_the_joining_counts(database: Database) -> None:
    begin, end = duel("a guest", "bob", guests=["a guest"])
    await take(database, [begin], [joined("ann", "a guest")], [end])
    assert await against(database, "ann", "bob") == (1, 0, 0, 1, DAY)


OUTCOMES = st.sampled_from(list(REVERSED))
SEATS = st.sampled_from(
    [("ann", "bob"), ("bob", "ann"), ("one", "bob"), ("two", "ann"), ("one", "two"), ("bob", "three")]
)
GUESTS = ("one", "two", "three")


@st.composite
def logs(draw: st.DrawFn) -> list[list[Record]]:
    """Games of accounts and guests and joinings, a game's begin before its end, cut into batches anywhere."""
    played = draw(st.lists(st.tuples(SEATS, st.booleans(), st.integers(1, 3)), max_size=8, unique=True))
    games = [
        duel(*seats, draw(OUTCOMES), day=DAY if first else NEXT, at=at, guests=GUESTS) for seats, first, at in played
    ]
    pairs = draw(st.lists(st.sampled_from([("ann", "one"), ("bob", "two"), ("ann", "three")]), unique=True))
    ends = [game[1] for game in games]
    records = draw(st.permutations([game[0] for game in games] + ends + [joined(*pair) for pair in pairs]))
    for begin, end in games:
        first, second = sorted((records.index(begin), records.index(end)))
        records[first], records[second] = begin, end
    cuts = sorted(draw(st.sets(st.integers(0, len(records)), max_size=6)))
    return [records[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(records)], strict=True)]


@given(batches=logs())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
async def test_in_any_order_the_records_are_what_is_counted_from_scratch(
    database: Database, batches: Sequence[Sequence[Record]]
) -> None:
    await solos.forget(database, Results)
    await take(database, *batches)
    assert await solos.faults(database, Results) == []
