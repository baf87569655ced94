"""A game that has left the stream for the archive is the same game to everybody who asks for it."""

from collections.abc import AsyncIterator

import pytest

from libs.core.calls import LookAtAudit, Person
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.connection import Connection
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.audit import audit_all, audit_game
from services.game.projections import PROJECTIONS
from services.game.snapshot import snapshot
from tests.services.archives import LATER, archived, copy, move
from tests.services.copies import Clock, Game, view
from tests.services.tables import folded, folding, rows

pytestmark = pytest.mark.usefixtures("game_tables")


@pytest.fixture
async def log(connection: Connection, settings: Settings) -> AsyncIterator[ArchivedLog]:
    async with archived(connection, settings) as log:
        yield log


@pytest.fixture
async def played(settings: Settings, connection: Connection, clock: Clock, log: ArchivedLog) -> AsyncIterator[Game]:
    """A game that is over, and one that is not, both folded; the copy that played them has forgotten them."""
    game = Game(connection, clock)
    async with folding(log, settings.postgres_url):
        async with copy(settings, clock):
            await game.open("made", rival=game.bob)
            await game.do(game.bob, type="secret", secret="banal")
            await game.guess(game.ann, "banal", "guessed")
            await game.guess(game.bob, "crepe")
            await Game(connection, clock).started()
        await folded(log, settings.postgres_url)
    async with copy(settings, clock):
        yield game


async def moved(game: Game, log: ArchivedLog, settings: Settings) -> None:
    """Move it, and see that the stream has nothing of it."""
    assert game.id in (await move(log, settings, game.id)).games
    assert await log.in_stream(game.id) == []


async def test_a_moved_game_is_seen_as_before(played: Game, log: ArchivedLog, settings: Settings, clock: Clock) -> None:
    async def all_that_is_told() -> list[object]:
        audit = await played.call(LookAtAudit(game=played.id, by=Person(id=played.ann)))
        return [await played.look(played.ann), await played.look(played.bob, after=1), audit]

    before = await all_that_is_told()
    history = await log.load(played.id)
    await moved(played, log, settings)
    assert await all_that_is_told() == before
    async with copy(settings, clock):  # one that never had it in its memory
        assert await all_that_is_told() == before
    again = await log.load(played.id)
    assert [(one.sequence, one.subject, one.data, one.at) for one in again] == [
        (one.sequence, one.subject, one.data, one.at) for one in history
    ]


async def test_a_moved_game_refuses_and_repeats_as_before(played: Game, log: ArchivedLog, settings: Settings) -> None:
    end = await log.last_sequence()
    refused = (await played.guess(played.ann, "crepe")).refused
    repeated = await played.guess(played.ann, "banal", "guessed")
    await moved(played, log, settings)
    assert (await played.guess(played.ann, "crepe")).refused == refused == "finished"
    assert await played.guess(played.ann, "banal", "guessed") == repeated
    assert (await played.guess(played.ann, "abbey", "guessed")).refused == "key_reused"
    assert (await played.guess("eve", "crepe")).refused == "not_a_player"
    assert (await played.wake()).refused is None
    assert await log.last_sequence() == end


async def test_what_made_a_moved_game_makes_no_other(
    played: Game, log: ArchivedLog, settings: Settings, clock: Clock, connection: Connection
) -> None:
    first = await played.look(played.ann)
    await moved(played, log, settings)
    clock.now = LATER
    again = Game(connection, clock)
    again.ann, again.bob = played.ann, played.bob
    answer = await again.do(played.ann, "made", "duel", type="open", game=again.id, secret="crepe", rival=played.bob)
    assert answer.game == played.id
    assert view(answer)["version"] == 1
    assert await log.load(again.id) == []
    other = await again.do(played.ann, "made", "duel", type="open", game=again.id, secret="abbey", rival=played.bob)
    assert other.refused == "key_reused"
    assert (await played.look(played.ann)).seen == first.seen


async def test_the_day_of_a_pair_stays_theirs(
    played: Game, log: ArchivedLog, settings: Settings, clock: Clock, connection: Connection
) -> None:
    await moved(played, log, settings)
    rival = Game(connection, clock)
    answer = await rival.do(played.ann, "", "duel", type="open", game=rival.id, secret="crepe", rival=played.bob)
    assert (answer.refused, answer.facts) == ("rival_game_exists", {"game": played.id})


async def test_audit_and_replay_read_both_as_one(
    played: Game, log: ArchivedLog, settings: Settings, connection: Connection, clock: Clock
) -> None:
    async def all_of_it() -> tuple[object, object]:
        async with snapshot(settings.postgres_url) as tables:
            report = await audit_all(log, tables, lambda *_: None)
            return report, await audit_game(log, tables, played.id)

    before = await all_of_it()
    await moved(played, log, settings)
    assert await all_of_it() == before
    report = before[0]
    assert (report.problems, report.rest) == ({}, [])  # type: ignore[attr-defined]
    assert report.records == await log.last_sequence()  # type: ignore[attr-defined]
    for projection in PROJECTIONS.values():
        assert await rebuild.check(settings.postgres_url, log, projection, lambda *_: None) == []
        await rebuild.rebuild(settings.postgres_url, log, projection, lambda *_: None)
    assert rows(settings.postgres_url, "select state from games.games where id = %s", played.id) == [{"state": "over"}]


async def test_a_projection_that_begins_anew_folds_the_archive_too(
    played: Game, log: ArchivedLog, settings: Settings
) -> None:
    await moved(played, log, settings)
    rows(settings.postgres_url, "truncate games.games, games.seats")
    rows(settings.postgres_url, "update positions set seq = 0 where name = 'games'")
    async with folding(log, settings.postgres_url):
        await folded(log, settings.postgres_url)
    [row] = rows(settings.postgres_url, "select version from games.games where id = %s", played.id)
    assert row == {"version": len(await log.load(played.id))}
