"""The log, folded into tables: every record once, whatever happens to those who fold."""

import asyncio
from collections.abc import AsyncIterator
from datetime import date
from typing import Any

import psycopg
import pytest
from psycopg import AsyncConnection, AsyncCursor

from libs.core.calls import Person
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.embedded import Postgres
from libs.runtime.log import Log, Rewound
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.audit import audit_all
from services.game.folding import Overtaken, fold
from services.game.projections import PROJECTIONS, Games, Results
from services.game.snapshot import snapshot
from tests.services.copies import MIDNIGHT, NOON, Clock, Game, copy
from tests.services.tables import folded, folding, rows

pytestmark = pytest.mark.usefixtures("game_tables")


@pytest.fixture(autouse=True)
async def service(settings: Settings, connection: Connection, clock: Clock) -> AsyncIterator[None]:
    async with copy(settings, clock):
        yield


@pytest.fixture
def game(connection: Connection, clock: Clock) -> Game:
    return Game(connection, clock)


async def play(game: Game) -> Game:
    """A whole game: ann finds the word with her first guess, bob with his second."""
    await game.started()
    await game.guess(game.ann, "banal")
    await game.guess(game.bob, "abbey")
    await game.guess(game.bob, "crepe")
    return game


async def assert_right(log: Log, url: str) -> None:
    """Every row is what a fresh fold makes of the log."""
    async with snapshot(url) as now:
        report = await audit_all(log, now, lambda *_: None)
    assert (report.problems, report.rest) == ({}, [])


async def test_a_game_that_is_played_out_has_its_rows(game: Game, log: Log, postgres_url: str) -> None:
    await play(game)
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    (row,) = rows(postgres_url, "select * from games.games where id = %s", game.id)
    assert (row["kind"], row["state"], row["maker"], row["day"]) == ("duel", "over", game.ann, date(2026, 1, 15))
    assert (row["version"], row["due"], row["closes_at"], row["expires_at"]) == (5, None, MIDNIGHT, None)
    assert (row["made_at"], row["began_at"], row["ended_at"]) == (NOON, NOON, NOON)
    seats = rows(postgres_url, "select * from games.seats where game = %s order by seat", game.id)
    assert [(s["player"], s["guest"], s["guesses"], s["solved"], s["finished"]) for s in seats] == [
        (game.ann, False, 1, True, True),
        (game.bob, False, 2, True, True),
    ]
    results = rows(postgres_url, "select * from results.results where game = %s order by player", game.id)
    assert [(r["player"], r["opponent"], r["outcome"], r["guesses"], r["counted"]) for r in results] == [
        (game.ann, game.bob, "win", 1, True),
        (game.bob, game.ann, "loss", 2, True),
    ]
    assert rows(postgres_url, "select * from results.playing where game = %s", game.id) == []


async def test_rivals_have_a_record_from_their_first_game_on(
    game: Game, log: Log, postgres_url: str, clock: Clock, connection: Connection
) -> None:
    query = "select wins, losses, draws, played, last_game::text, last_day from results.rivals where player = %s"
    async with folding(log, postgres_url):
        await game.started()
        await folded(log, postgres_url)
        assert [tuple(row.values()) for row in rows(postgres_url, query, game.ann)] == [
            (0, 0, 0, 0, game.id, date(2026, 1, 15))
        ]
        await game.guess(game.ann, "banal")
        clock.now = MIDNIGHT
        await game.wake()
        await folded(log, postgres_url)
        assert [tuple(row.values()) for row in rows(postgres_url, query, game.bob)] == [
            (0, 1, 0, 1, game.id, date(2026, 1, 15))
        ]
        second = Game(connection, clock)
        second.ann, second.bob = game.ann, game.bob
        await second.started()
        await second.guess(second.ann, "crepe")
        clock.now = MIDNIGHT.replace(day=17)
        await second.wake()
        await folded(log, postgres_url)
        assert [tuple(row.values()) for row in rows(postgres_url, query, game.ann)] == [
            (1, 0, 0, 2, second.id, date(2026, 1, 16))
        ]


async def test_a_game_without_a_guess_is_not_counted(game: Game, log: Log, postgres_url: str, clock: Clock) -> None:
    await game.started()
    clock.now = MIDNIGHT
    await game.wake()
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    results = rows(postgres_url, "select outcome, counted from results.results where game = %s", game.id)
    assert results == [{"outcome": "not_counted", "counted": False}] * 2
    assert rows(postgres_url, "select played from results.rivals where player = %s", game.ann) == [{"played": 0}]


async def test_a_game_with_a_guest_has_results_and_makes_no_rivals(game: Game, log: Log, postgres_url: str) -> None:
    await game.open()
    await game.do(Person(id=game.bob, guest=True), type="accept", secret="banal")
    await game.guess(game.ann, "banal")
    await game.guess(game.bob, "crepe")
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    assert (
        rows(postgres_url, "select outcome from results.results where game = %s", game.id) == [{"outcome": "draw"}] * 2
    )
    assert rows(postgres_url, "select * from results.rivals where player = %s", game.ann) == []


async def test_an_invite_waits_and_comes_to_nothing(game: Game, log: Log, postgres_url: str) -> None:
    query = "select state, due, expires_at, ended_at from games.games where id = %s"
    week_later = NOON.replace(day=22)
    async with folding(log, postgres_url):
        await game.open()
        await folded(log, postgres_url)
        assert [tuple(row.values()) for row in rows(postgres_url, query, game.id)] == [
            ("invited", week_later, week_later, None)
        ]
        await game.do(game.ann, type="withdraw")
        await folded(log, postgres_url)
        assert [tuple(row.values()) for row in rows(postgres_url, query, game.id)] == [("void", None, week_later, NOON)]


async def test_a_rivals_game_waits_for_the_second_secret(game: Game, log: Log, postgres_url: str) -> None:
    states = "select state from games.games where id = %s"
    secrets = "select secret_set from games.seats where game = %s order by seat"
    async with folding(log, postgres_url):
        for done, state, secret in (
            (game.open(rival=game.bob), "waiting", False),
            (game.do(game.bob, type="secret", secret="banal"), "playing", True),
        ):
            await done
            await folded(log, postgres_url)
            assert rows(postgres_url, states, game.id) == [{"state": state}]
            assert rows(postgres_url, secrets, game.id) == [{"secret_set": True}, {"secret_set": secret}]


async def test_an_invite_that_is_taken_waits_for_nobody(game: Game, log: Log, postgres_url: str) -> None:
    await game.open()
    await game.do(game.bob, type="accept", secret="banal")
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    assert rows(postgres_url, "select state from games.games where id = %s", game.id) == [{"state": "playing"}]


async def test_who_comes_second_folds_nothing(game: Game, log: Log, postgres_url: str) -> None:
    await play(game)
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    records = await log.load(game.id)
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
        for projection in PROJECTIONS.values():
            with pytest.raises(Overtaken):
                await fold(connection, projection, records, records[0].sequence - 1)
    await assert_right(log, postgres_url)


async def test_a_fold_does_not_wait_for_the_disk_and_whoever_has_the_session_next_does(
    game: Game, log: Log, postgres_url: str
) -> None:
    """What a crash takes back is folded again; other writers of this database promise more."""
    seen: list[str] = []

    class Watched(Games):
        async def save(self, cursor: AsyncCursor[Any], schema: str) -> None:
            await super().save(cursor, schema)
            seen.append(await waits(cursor.connection))

    async def waits(connection: AsyncConnection[Any]) -> str:
        row = await (await connection.execute("show synchronous_commit")).fetchone()
        assert row is not None
        return str(row[0])

    await play(game)
    records = await log.load(game.id)
    async with await AsyncConnection.connect(postgres_url, autocommit=True) as connection:
        before = records[0].sequence - 1
        await connection.execute("set synchronous_commit to on")  # the server of these tests promises nothing
        await connection.execute(
            "insert into positions values ('games', %s) on conflict (name) do update set seq = excluded.seq", (before,)
        )
        await fold(connection, Watched, records, before)
        assert (seen, await waits(connection)) == (["off"], "on")
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    await assert_right(log, postgres_url)


async def test_two_who_fold_at_once_and_are_killed_again_and_again_fold_everything_once(
    connection: Connection, log: Log, postgres_url: str, clock: Clock
) -> None:
    games = [Game(connection, clock) for _ in range(20)]

    async def fold_and_die() -> None:
        while True:
            async with folding(log, postgres_url):
                await asyncio.sleep(ids.between(0.05, 0.3))  # killed wherever it is
            # and its locks stay behind: only the position tells
            rows(
                postgres_url,
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()",
            )

    dying = [asyncio.create_task(fold_and_die()) for _ in range(2)]
    await asyncio.gather(*(play(game) for game in games))
    for task in dying:
        task.cancel()
    await asyncio.gather(*dying, return_exceptions=True)
    async with folding(log, postgres_url), folding(log, postgres_url):
        await folded(log, postgres_url)
    await assert_right(log, postgres_url)


async def test_folding_goes_on_after_postgres_was_restarted(
    game: Game, log: Log, postgres_url: str, postgres_server: Postgres
) -> None:
    async with folding(log, postgres_url):
        await game.started()
        await folded(log, postgres_url)
        await asyncio.to_thread(postgres_server.stop)
        assert (await game.guess(game.ann, "crepe")).refused is None  # moves need the log alone
        await asyncio.to_thread(postgres_server.start)
        await folded(log, postgres_url)
    assert rows(postgres_url, "select version from games.games where id = %s", game.id) == [{"version": 3}]
    await assert_right(log, postgres_url)


async def test_the_tables_are_rebuilt_while_games_go_on(
    connection: Connection, log: Log, postgres_url: str, clock: Clock
) -> None:
    async with folding(log, postgres_url):
        await play(Game(connection, clock))
        await folded(log, postgres_url)
        rows(postgres_url, "update games.games set version = 99")
        rows(postgres_url, "delete from results.rivals")
        playing = asyncio.gather(*(play(Game(connection, clock)) for _ in range(20)))
        for projection in (Games, Results):
            await rebuild.rebuild(postgres_url, log, projection, lambda *_: None)
        await playing
        await play(Game(connection, clock))
        await folded(log, postgres_url)
    await assert_right(log, postgres_url)
    assert rows(postgres_url, "select distinct version from games_old.games")[0] is not None


async def test_a_check_names_every_row_that_differs_and_changes_none(game: Game, log: Log, postgres_url: str) -> None:
    await play(game)
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
        assert await rebuild.check(postgres_url, log, Games, lambda *_: None) == []
        rows(postgres_url, "update games.seats set guesses = 5 where game = %s and seat = 0", game.id)
        rows(postgres_url, "delete from games.seats where game = %s and seat = 1", game.id)
        found = await rebuild.check(postgres_url, log, Games, lambda *_: None)
        assert [(one.table, one.live and one.live["guesses"], one.fresh and one.fresh["guesses"]) for one in found] == [
            ("games.seats", 5, 1),
            ("games.seats", None, 2),
        ]
        assert rows(postgres_url, "select seat, guesses from games.seats where game = %s", game.id) == [
            {"seat": 0, "guesses": 5}
        ]
        await rebuild.rebuild(postgres_url, log, Games, lambda *_: None)
        assert await rebuild.check(postgres_url, log, Games, lambda *_: None) == []


async def test_tables_that_are_newer_than_the_log_are_not_checked_and_a_rebuild_makes_them_those_of_the_log(
    game: Game, log: Log, postgres_url: str
) -> None:
    await play(game)
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    rows(postgres_url, "update positions set seq = seq + 1000 where name = 'games'")
    rows(postgres_url, "update games.games set version = 99")
    async with asyncio.timeout(20):
        with pytest.raises(Rewound):
            await rebuild.check(postgres_url, log, Games, lambda *_: None)
        assert await rebuild.rebuild(postgres_url, log, Games, lambda *_: None) == await log.last_sequence()
    await assert_right(log, postgres_url)


async def test_a_projection_is_rebuilt_by_one_at_a_time(log: Log, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as other:
        other.execute("select pg_advisory_lock(hashtextextended('shadow games_next', 0))")
        with pytest.raises(rebuild.Busy):
            await rebuild.rebuild(postgres_url, log, Games, lambda *_: None)
