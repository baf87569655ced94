"""Moving games to the archive, cut short, done twice, hindered or tampered with: no record is ever in neither place."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from datetime import timedelta

import msgspec
import pytest

from libs.core import subjects
from libs.runtime import bus, ids, postgres
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.connection import Connection
from libs.runtime.embedded import Postgres
from libs.runtime.log import Damaged, Down, Record, Rewound
from libs.runtime.settings import Settings
from libs.runtime.streams import ensure_streams, wanted
from services.game.archive import CHANGED, Busy, closed, forget, keep
from services.game.archive import folded as folded_up_to
from services.game.archive_leader import BEGIN, Mover, Pace
from services.game.audit import Report, audit_all, audit_game
from services.game.snapshot import snapshot
from tests import servers
from tests.services.archives import AT_ONCE, LATER, archived, copy, database, move
from tests.services.copies import Clock, Game
from tests.services.tables import folded, folding, rows


@pytest.fixture
def place(postgres_server: Postgres) -> Iterator[Settings]:
    """Servers of the test's own."""
    with servers.nats_server() as nats, servers.database(postgres_server) as url:
        postgres.migrate(url, ["services.game.tables"])
        yield Settings(nats_url=nats.url, postgres_url=url, daily_key="d" * 32)


@pytest.fixture
async def client(place: Settings) -> AsyncIterator[Connection]:
    connection = await bus.connect(place, "test")
    await ensure_streams(connection, 1)
    yield connection
    await connection.close()


@pytest.fixture
async def log(client: Connection, place: Settings) -> AsyncIterator[ArchivedLog]:
    async with archived(client, place) as log:
        yield log


@pytest.fixture
async def games(client: Connection, place: Settings, clock: Clock, log: ArchivedLog) -> list[Game]:
    """Three games that are over and interleaved, and then one that is not; all folded."""
    over = [Game(client, clock) for _ in range(3)]
    async with copy(place, clock), folding(log, place.postgres_url):
        for game in over:
            await game.started()
        for game in over:
            await game.guess(game.ann, "banal")
        for game in over:
            await game.guess(game.bob, "crepe")
        await Game(client, clock).started()
        await folded(log, place.postgres_url)
    return over


async def everything(log: ArchivedLog) -> list[Record]:
    """The whole log, archive and stream."""
    async with aclosing(log.whole(1, await log.last_sequence())) as arriving:
        return [record async for records in arriving for record in records]


async def audited(log: ArchivedLog, place: Settings) -> Report:
    async with snapshot(place.postgres_url) as tables:
        return await audit_all(log, tables, lambda *_: None)


async def assert_whole(log: ArchivedLog, place: Settings, before: list[Record]) -> None:
    """Nothing is lost, nothing is there twice, and everybody agrees."""
    assert [(one.sequence, one.subject, one.data) for one in await everything(log)] == [
        (one.sequence, one.subject, one.data) for one in before
    ]
    report = await audited(log, place)
    assert (report.problems, report.rest, report.records) == ({}, [], len(before))


async def left(log: ArchivedLog, games: list[Game]) -> list[int]:
    """How many records of each game the stream still has."""
    return [len(await log.in_stream(game.id)) for game in games]


async def test_a_game_that_is_kept_and_not_yet_forgotten_is_in_both_and_counts_once(
    log: ArchivedLog, place: Settings, games: list[Game]
) -> None:
    before = await everything(log)
    async with database(place) as connection:
        for _ in range(2):  # begun again after a kill
            assert len((await keep(log, connection, [game.id for game in games], LATER)).games) == 3
            assert await left(log, games) == [4, 4, 4]
            await assert_whole(log, place, before)


async def test_a_kill_while_games_are_forgotten_leaves_each_whole(
    log: ArchivedLog, place: Settings, games: list[Game]
) -> None:
    before = await everything(log)
    async with database(place) as connection:
        await keep(log, connection, [game.id for game in games], LATER)
        await log.forget(subjects.game("duel", games[0].id), before[-1].sequence)  # and then it was killed
        assert await left(log, games) == [0, 4, 4]
        await assert_whole(log, place, before)
        assert len((await forget(log, connection, AT_ONCE, 100)).games) == 3
        assert (await forget(log, connection, AT_ONCE, 100)).games == []
    await assert_whole(log, place, before)


async def test_a_game_whose_beginning_is_gone_from_the_stream_alone_is_read_whole(
    log: ArchivedLog, place: Settings, games: list[Game]
) -> None:
    before, history = await everything(log), await log.load(games[0].id)
    async with database(place) as connection:
        await keep(log, connection, [games[0].id], LATER)
        # as a server may be left that was killed while it forgot
        await log.forget(subjects.game("duel", games[0].id), history[1].sequence)
        assert await left(log, games) == [2, 4, 4]
        assert await log.load(games[0].id) == history
        assert await log.load(games[0].id, after=history[0].sequence) == history[1:]
        await assert_whole(log, place, before)
        assert (await keep(log, connection, [games[0].id], LATER)).stay == {
            games[0].id: "its beginning is not in the stream"
        }
        assert (await forget(log, connection, AT_ONCE, 100)).games == [games[0].id]
    assert await log.load(games[0].id) == history


async def test_two_movers_at_once_move_each_game_once(log: ArchivedLog, place: Settings, games: list[Game]) -> None:
    before, names = await everything(log), [game.id for game in games]

    async def mover() -> int:
        async with database(place) as connection:
            moved = 0
            await keep(log, connection, names, LATER)
            while rows(place.postgres_url, "select game from archive.games where removed_at is null"):
                try:
                    moved += len((await forget(log, connection, AT_ONCE, 1)).games)
                except Busy:
                    await asyncio.sleep(0)
            return moved

    assert sum(await asyncio.gather(mover(), mover(), mover())) == 3
    assert await left(log, games) == [0, 0, 0]
    await assert_whole(log, place, before)


async def test_whoever_reads_the_whole_log_reads_it_whole_while_games_move(
    log: ArchivedLog, place: Settings, games: list[Game]
) -> None:
    before = await everything(log)
    async with aclosing(log.whole(1, before[-1].sequence, 2)) as arriving, database(place) as connection:
        seen = await anext(arriving)
        await keep(log, connection, [game.id for game in games], LATER)
        with pytest.raises(Busy):
            await forget(log, connection, AT_ONCE, 100)
        async for records in arriving:
            seen += records
        assert len((await forget(log, connection, AT_ONCE, 100)).games) == 3
    assert [one.sequence for one in seen] == [one.sequence for one in before]
    await assert_whole(log, place, before)


async def test_a_follower_misses_nothing_that_stays(log: ArchivedLog, place: Settings, games: list[Game]) -> None:
    async with aclosing(log.follow(1, 1)) as following:
        first = await anext(following)
        await move(log, place, *[game.id for game in games])
        end = await log.last_sequence()
        rest = []
        async for records in following:
            rest += records
            if rest[-1].sequence == end:
                break
    gone = {game.id for game in games}
    staying = [one.sequence for one in await everything(log) if one.game not in gone and one.kind != subjects.CLAIM]
    assert first[0].sequence == 1
    assert set(staying) <= {one.sequence for one in rest}


async def test_the_newest_record_never_leaves_the_stream(
    log: ArchivedLog, place: Settings, client: Connection, clock: Clock
) -> None:
    game = await played(log, place, client, clock)
    async with database(place) as connection:
        await keep(log, connection, [game.id], LATER)
        assert (await forget(log, connection, AT_ONCE, 100)).stay == {game.id: "it is too new"}
        assert await left(log, [game]) == [4]
        other = await played(log, place, client, clock)
        assert (await forget(log, connection, AT_ONCE, 100)).games == [game.id]
    assert await left(log, [game, other]) == [0, 4]
    async with aclosing(log.follow(1)) as following:  # whoever begins anew finds the end
        assert (await anext(following))[-1].sequence == await log.last_sequence()


async def played(log: ArchivedLog, place: Settings, client: Connection, clock: Clock) -> Game:
    """One more game that is over and folded."""
    game = Game(client, clock)
    async with copy(place, clock), folding(log, place.postgres_url):
        await game.started()
        await game.guess(game.ann, "banal")
        await game.guess(game.bob, "crepe")
        await folded(log, place.postgres_url)
    return game


async def test_what_a_projection_has_not_folded_stays(log: ArchivedLog, place: Settings, games: list[Game]) -> None:
    rows(place.postgres_url, "update positions set seq = 3 where name = 'results'")
    async with database(place) as connection:
        assert await closed(connection, LATER, BEGIN, 10, await folded_up_to(connection)) == []
        await keep(log, connection, [game.id for game in games], LATER)
        assert set((await forget(log, connection, AT_ONCE, 100)).stay.values()) == {"it is too new"}
        rows(place.postgres_url, "delete from positions where name = 'results'")
        assert await folded_up_to(connection) == 0
    assert await left(log, games) == [4, 4, 4]


async def test_an_open_game_a_late_one_and_an_unknown_one_are_not_moved(
    log: ArchivedLog, place: Settings, games: list[Game], clock: Clock
) -> None:
    [open_] = rows(place.postgres_url, "select id::text from games.games where ended_at is null")
    unknown = ids.new_id()
    async with database(place) as connection:
        assert (await keep(log, connection, [open_["id"], unknown], LATER)).stay == {
            open_["id"]: "it is not over",
            unknown: "it is not in the stream",
        }
        late = await keep(log, connection, [games[0].id], clock.now)
        assert late.stay == {games[0].id: "it has not been over for long enough"}
    assert rows(place.postgres_url, "select game from archive.games") == []


async def test_a_record_that_came_after_all_is_archived_too(
    log: ArchivedLog, place: Settings, games: list[Game]
) -> None:
    async with database(place) as connection:
        await keep(log, connection, [games[0].id], LATER)
        last = (await log.load(games[0].id))[-1]
        sequence = await log.append(last.subject, last.data, last.sequence, "forged")
        await log.append(subjects.game("duel", ids.new_id()), b"{}", 0, "another")
        async with folding(log, place.postgres_url):
            await folded(log, place.postgres_url)
        assert (await forget(log, connection, AT_ONCE, 100)).stay == {games[0].id: CHANGED}
        await keep(log, connection, [games[0].id], LATER)
        assert (await forget(log, connection, AT_ONCE, 100)).games == [games[0].id]
    assert (await log.load(games[0].id))[-1].sequence == sequence


@pytest.mark.parametrize(
    ("tamper", "how"),
    [
        ("data = set_byte(data, 20, get_byte(data, 20) # 255)", "it cannot be unpacked"),
        ("data = substr(data, 1, 30)", "it cannot be unpacked"),
        ("checksum = set_byte(checksum, 0, get_byte(checksum, 0) # 1)", "the checksum is another one"),
        ("kind = 'daily'", "the columns of the row are not those of its records"),
        ("records = records - 1", "the columns of the row are not those of its records"),
        ("last_seq = last_seq + 1", "the columns of the row are not those of its records"),
    ],
)
async def test_a_damaged_row_is_named_and_never_acted_on(
    log: ArchivedLog, place: Settings, games: list[Game], tamper: str, how: str
) -> None:
    await move(log, place, games[0].id)
    rows(place.postgres_url, f"update archive.games set {tamper}")  # noqa: S608
    said = f"its row in the archive is damaged: {how}"
    async with snapshot(place.postgres_url) as tables:
        assert (await audit_game(log, tables, games[0].id)).problems == [said]
    report = await audited(log, place)
    assert report.problems[games[0].id] == [said]
    assert any("neither in the stream nor in the archive" in problem for problem in report.rest)
    with pytest.raises(Damaged, match=games[0].id):
        await everything(log)
    with pytest.raises(Damaged):
        await log.load(games[0].id)


async def test_a_damaged_row_keeps_its_game_in_the_stream(log: ArchivedLog, place: Settings, games: list[Game]) -> None:
    async with database(place) as connection:
        await keep(log, connection, [game.id for game in games], LATER)
        rows(place.postgres_url, "update archive.games set data = 'x' where game = %s", games[1].id)
        moved = await forget(log, connection, AT_ONCE, 100)
        assert moved.stay == {games[1].id: "it cannot be unpacked"}
        assert (await keep(log, connection, [games[1].id], LATER)).stay == moved.stay
    assert await left(log, games) == [0, 4, 0]


async def test_a_row_that_is_missing_is_noticed(log: ArchivedLog, place: Settings, games: list[Game]) -> None:
    history = await log.load(games[0].id)
    await move(log, place, games[0].id)
    rows(place.postgres_url, "delete from archive.claims where game = %s", games[0].id)
    rows(place.postgres_url, "delete from archive.games where game = %s", games[0].id)
    report = await audited(log, place)
    for record in history:
        assert any(f"{record.sequence}" in problem and "neither" in problem for problem in report.rest)


async def test_a_stream_that_was_made_to_keep_all_stays_as_it_is(place: Settings, clock: Clock) -> None:
    connection = await bus.connect(place, "test")
    [stream, *_] = wanted(1)
    await connection.request("$JS.API.STREAM.CREATE.GAMES", msgspec.json.encode({**stream, "deny_purge": True}))
    await ensure_streams(connection, 1)
    async with archived(connection, place) as log, database(place) as tables:
        game = await played(log, place, connection, clock)
        await played(log, place, connection, clock)
        await keep(log, tables, [game.id], LATER)
        assert not await log.forgets()
        with pytest.raises(Down, match="purge not permitted"):
            await forget(log, tables, AT_ONCE, 100)
        assert len(await log.in_stream(game.id)) == 4
        assert rows(place.postgres_url, "select game from archive.games where removed_at is not null") == []
        await assert_whole(log, place, await everything(log))
    await connection.close()


async def test_a_log_that_ends_before_its_archive_is_told(log: ArchivedLog, place: Settings, games: list[Game]) -> None:
    with pytest.raises(Rewound):
        await anext(log.whole(1, await log.last_sequence() + 1))


async def test_a_mover_moves_what_is_due_step_by_step(
    log: ArchivedLog, place: Settings, games: list[Game], clock: Clock
) -> None:
    before = await everything(log)
    mover = Mover(log, place.postgres_url, clock, timedelta(days=7), Pace(settled=AT_ONCE))
    async with database(place) as connection:
        assert await mover.step(connection) == 0  # all too young
        clock.now = LATER
        assert await mover.step(connection) == 3  # kept
        assert await mover.step(connection) == 3  # forgotten
        assert await mover.step(connection) == 0
    assert await left(log, games) == [0, 0, 0]
    await assert_whole(log, place, before)


async def test_a_game_stays_in_both_for_a_while(
    log: ArchivedLog, place: Settings, games: list[Game], clock: Clock
) -> None:
    clock.now = LATER
    mover = Mover(log, place.postgres_url, clock, timedelta(days=7))
    async with database(place) as connection:
        assert await mover.step(connection) == 3
        assert await mover.step(connection) == 0
    assert await left(log, games) == [4, 4, 4]


async def test_without_postgres_nothing_is_said_of_old_games_and_new_ones_are_played(
    log: ArchivedLog, place: Settings, games: list[Game], client: Connection, clock: Clock
) -> None:
    await move(log, place, games[0].id)
    nowhere = Settings(nats_url=place.nats_url, postgres_url="postgresql://127.0.0.1:1/none", daily_key="d" * 32)
    async with copy(nowhere, clock):
        assert (await games[0].look(games[0].ann)).refused == "try_again"
        assert (await games[1].look(games[1].ann)).refused is None
        assert (await Game(client, clock).open(rival="carl")).refused == "try_again"
