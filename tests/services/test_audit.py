"""The audit: silent when all is right, and naming whatever was tampered with."""

from collections.abc import AsyncIterator
from datetime import timedelta

import msgspec
import pytest

from libs.core import subjects
from libs.core.games.duel.events import Guessed
from libs.core.messages import Commit, GameId
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.audit import Report, audit_all, audit_game
from services.game.projections import Games, Results
from services.game.snapshot import snapshot
from tests.services.copies import MIDNIGHT, NOON, Clock, Game, copy
from tests.services.tables import folded, folding, rows

pytestmark = pytest.mark.usefixtures("game_tables")


@pytest.fixture
async def played(settings: Settings, connection: Connection, clock: Clock, log: Log) -> AsyncIterator[Game]:
    """A game that is over, and folded."""
    game = Game(connection, clock)
    async with copy(settings, clock), folding(log, settings.postgres_url):
        await game.started()
        await game.guess(game.ann, "banal")
        await game.guess(game.bob, "abbey")
        await game.guess(game.bob, "crepe")
        await folded(log, settings.postgres_url)
        yield game


async def problems(log: Log, url: str, game: GameId) -> list[str]:
    async with snapshot(url) as now:
        return list((await audit_game(log, now, game)).problems)


async def everything(log: Log, url: str) -> Report:
    async with snapshot(url) as now:
        return await audit_all(log, now, lambda *_: None)


async def forge(log: Log, game: Game, event: Guessed, by: str | None = None) -> None:
    """Write to the log what no copy of the service would."""
    last = (await log.load(game.id))[-1].sequence
    by = by or event.by
    commit = Commit(id=f"{by}:{ids.new_id()}", by=by, digest="", at=event.at, events=[event], due=MIDNIGHT)
    await log.append(subjects.game("duel", game.id), msgspec.json.encode(commit), last, commit.id)


async def test_a_game_by_the_rules_has_no_problems(played: Game, log: Log, postgres_url: str) -> None:
    assert await problems(log, postgres_url, played.id) == []
    report = await everything(log, postgres_url)
    assert (report.problems, report.rest) == ({}, [])
    assert report.behind == {"games": 0, "results": 0, "daily": 0, "moderation": 0}
    assert report.games >= 1


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (
            "update games.games set state = 'playing' where id = %s",
            "games.games ({id}): state is playing and must be over",
        ),
        (
            "update games.seats set guesses = 6 where game = %s and seat = 0",
            "games.seats ({id}, 0): guesses is 1 and must be 6",
        ),
        ("delete from games.games where id = %s", "games.games ({id}): there is no such row"),
        (
            "update results.results set outcome = 'draw' where game = %s and guesses = 1",
            "results.results ({id}, {ann}): outcome is draw and must be win",
        ),
        (
            "insert into results.playing values (%s, 'duel', '{}', '{}', null, false)",
            "results.playing ({id}): a row too many",
        ),
    ],
)
async def test_a_tampered_row_is_named(played: Game, log: Log, postgres_url: str, tamper: str, said: str) -> None:
    rows(postgres_url, tamper, played.id)  # type: ignore[arg-type]
    expected = said.format(id=played.id, ann=played.ann).replace("is 1 and must be 6", "is 6 and must be 1")
    assert await problems(log, postgres_url, played.id) == [expected]
    assert (await everything(log, postgres_url)).problems[played.id] == [expected]
    for projection in (Games, Results):
        await rebuild.rebuild(postgres_url, log, projection, lambda *_: None)


async def test_tampered_totals_are_named(played: Game, log: Log, postgres_url: str) -> None:
    rows(postgres_url, "update results.rivals set wins = wins + 1 where player = %s", played.ann)
    assert (await everything(log, postgres_url)).rest == [
        f"results.rivals ({played.ann}, {played.bob}, duel): wins is 2 and must be 1"
    ]
    rows(postgres_url, "update results.rivals set wins = wins - 1 where player = %s", played.ann)


async def test_rows_of_a_game_that_never_was_are_named(played: Game, log: Log, postgres_url: str) -> None:
    game = ids.new_id()
    rows(postgres_url, "insert into games.seats values (%s, 0, 'eve', false, 0, false, false)", game)
    assert (await everything(log, postgres_url)).rest == ["games.seats: 1 rows of games that are not in the log"]
    rows(postgres_url, "delete from games.seats where game = %s", game)


async def test_what_is_not_folded_yet_is_no_fault(
    settings: Settings, connection: Connection, clock: Clock, log: Log
) -> None:
    game = Game(connection, clock)
    async with copy(settings, clock):
        await game.started()
    assert await problems(log, settings.postgres_url, game.id) == []
    report = await everything(log, settings.postgres_url)
    assert game.id not in report.problems
    assert report.behind["games"] == 4  # two claims and two records


async def test_a_forged_guess_is_named(settings: Settings, connection: Connection, clock: Clock, log: Log) -> None:
    game = Game(connection, clock)
    async with copy(settings, clock), folding(log, settings.postgres_url):
        await game.started()
        await forge(log, game, Guessed(at=NOON, by=game.ann, word="abbey", marks="CCCCC", number=1))
        await folded(log, settings.postgres_url)
    (problem,) = await problems(log, settings.postgres_url, game.id)
    assert problem == f"record 3: guess 1 of {game.ann}: the marks are not right"
    assert (await everything(log, settings.postgres_url)).problems[game.id] == [problem]


async def test_a_guess_in_the_name_of_the_other_is_named(
    settings: Settings, connection: Connection, clock: Clock, log: Log
) -> None:
    game = Game(connection, clock)
    async with copy(settings, clock):
        await game.started()
    guess = Guessed(at=NOON, by=game.ann, word="banal", marks="CCCCC", number=1)
    await forge(log, game, guess, by=game.bob)
    assert await problems(log, settings.postgres_url, game.id) == [
        "record 3: an event of another player than the command"
    ]


async def test_a_guess_after_the_end_is_named(played: Game, log: Log, postgres_url: str) -> None:
    late = NOON + timedelta(minutes=1)
    await forge(log, played, Guessed(at=late, by=played.ann, word="banal", marks="CCCCC", number=2))
    await folded(log, postgres_url)
    found = await problems(log, postgres_url, played.id)
    assert "record 6: something happened after the end" in found
    assert "record 6: something happened after the end" in (await everything(log, postgres_url)).problems[played.id]


async def test_a_game_that_nobody_claimed_is_named(
    settings: Settings, played: Game, connection: Connection, clock: Clock, log: Log
) -> None:
    """A whole history, copied under another id: right in itself, and a second game of the pair on that day."""
    copied, last = Game(connection, clock), 0
    for number, record in enumerate(await log.load(played.id)):
        data = record.data.replace(played.id.encode(), copied.id.encode())
        last = await log.append(subjects.game("duel", copied.id), data, last, str(number))
    async with folding(log, settings.postgres_url):
        await folded(log, settings.postgres_url)
    assert set(await problems(log, settings.postgres_url, copied.id)) == {
        f"game {played.id} has claimed what it must have for itself alone"
    }


async def test_a_record_that_cannot_be_read_is_named(played: Game, log: Log, postgres_url: str) -> None:
    game = ids.new_id()
    sequence = await log.append(subjects.game("duel", game), b"{}", 0, "key")
    await folded(log, postgres_url)
    (problem,) = await problems(log, postgres_url, game)
    assert problem.startswith(f"record {sequence} of the log: not readable")
    assert (await everything(log, postgres_url)).problems[game] == [problem]


async def test_tables_that_are_newer_than_the_log_are_named_and_rebuilt(
    played: Game, log: Log, postgres_url: str
) -> None:
    """As after the restoring of an older copy of the log."""
    rows(postgres_url, "update positions set seq = seq + 5 where name = 'games'")
    assert (await everything(log, postgres_url)).rest == ["games has folded 5 records that are not in the log"]
    await rebuild.rebuild(postgres_url, log, Games, lambda *_: None)
    assert (await everything(log, postgres_url)).rest == []
