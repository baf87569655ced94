"""Records that cannot be folded: set aside with a reason, while all others go on."""

import asyncio
from typing import Any

import msgspec
import psycopg
import pytest

from libs.core import subjects
from libs.core.games.duel.events import Opened, Withdrawn
from libs.core.messages import Commit
from libs.runtime import ids
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.log import Log
from libs.runtime.metrics import PARKED
from libs.runtime.settings import Settings
from services.game import rebuild
from services.game.folding import fold, position_of
from services.game.project import Projector
from services.game.projections import Games
from tests.services.copies import NOON, Clock, Game, copy
from tests.services.tables import folded, folding, rows
from tests.until import until

pytestmark = pytest.mark.usefixtures("game_tables")


PARKED_GAMES = "select seq, subject, reason from parked where projection = 'games'"


def stored(*events: object) -> bytes:
    return msgspec.json.encode(Commit(id="ann:1", by="ann", digest="", at=NOON, events=events))


def opened(maker: str) -> Opened:
    return Opened(at=NOON, game="", maker=maker, guest=False, words="", expires_at=None)


@pytest.mark.parametrize(
    ("game", "body", "reason"),
    [
        ("", b"nothing of the kind", "not readable: JSON is malformed: invalid character (byte 4)"),
        ("", stored({"type": "won"}), "not readable: Invalid value 'won' - at `$.events[0].type`"),
        ("no-id", stored(), "the subject names no game"),
        ("", stored(Withdrawn(at=NOON)), "the game was never made"),
        ("", stored(opened("a\0b")), "not storable: UntranslatableCharacter 22P05"),
    ],
)
async def test_what_makes_no_sense_is_set_aside_with_its_reason_and_stops_no_other(
    connection: Connection, settings: Settings, log: Log, game: str, body: bytes, reason: str
) -> None:
    clock = Clock()
    before, after = Game(connection, clock), Game(connection, clock)
    async with copy(settings, clock):
        await before.open()
        subject = subjects.game("duel", game or ids.new_id())
        sequence = await log.append(subject, body, 0, ids.new_id())
        await after.open()
    async with folding(log, settings.postgres_url):
        await folded(log, settings.postgres_url)
        counted = PARKED.labels("games")._value
        await until(lambda: counted.get() == len(rows(settings.postgres_url, PARKED_GAMES)))
    found = rows(settings.postgres_url, PARKED_GAMES)
    assert {"seq": sequence, "subject": subject, "reason": reason} in found
    games = rows(settings.postgres_url, "select id from games.games where id = any(%s::uuid[])", [before.id, after.id])
    assert len(games) == 2


async def test_a_kind_of_game_that_nobody_knows_is_set_aside(log: Log, postgres_url: str) -> None:
    sequence = await log.append(subjects.game("halma", ids.new_id()), b"{}", 0, "key")
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    for name in ("games", "results", "daily"):
        assert rows(postgres_url, "select reason from parked where projection = %s and seq = %s", name, sequence) == [
            {"reason": "a game of an unknown kind"}
        ]


async def test_what_was_set_aside_is_tried_again_by_a_rebuild(log: Log, postgres_url: str) -> None:
    sequence = await log.append(subjects.game("duel", ids.new_id()), stored(opened("ann")), 0, "mended")
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    rows(
        postgres_url, "insert into parked (projection, seq, subject, reason) values ('games', %s, '', 'old')", sequence
    )
    await rebuild.rebuild(postgres_url, log, Games, lambda *_: None)
    parked = rows(postgres_url, "select seq, reason from parked where projection = 'games'")
    assert parked
    assert sequence not in {row["seq"] for row in parked}
    assert rows(postgres_url, "select * from parked where projection = 'games_next'") == []


async def test_a_database_that_is_not_in_order_sets_nothing_aside(log: Log, postgres_url: str) -> None:
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    game = ids.new_id()
    await log.append(subjects.game("duel", game), stored(opened("ann")), 0, "key")
    rows(postgres_url, "alter table games.seats rename to away")
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
        position = await position_of(connection, "games")
        with pytest.raises(psycopg.errors.UndefinedTable):
            await fold(connection, Games, await log.load(game), position)
        assert await position_of(connection, "games") == position
    rows(postgres_url, "alter table games.away rename to seats")
    async with folding(log, postgres_url):
        await folded(log, postgres_url)
    assert len(rows(postgres_url, "select * from games.games where id = %s", game)) == 1


class Stumbling(Games):
    """A projection that fails once, for a reason nobody foresaw."""

    stumbled = False

    async def load(self, *args: Any) -> None:
        """Fail at first."""
        if not Stumbling.stumbled:
            Stumbling.stumbled = True
            raise ZeroDivisionError
        await super().load(*args)


async def test_a_fold_that_fails_for_a_reason_nobody_foresaw_is_tried_again(
    connection: Connection, settings: Settings, log: Log
) -> None:
    """It must not end the process: commands need no tables."""
    clock = Clock()
    game = Game(connection, clock)
    async with copy(settings, clock):
        await game.open()
    folds = asyncio.create_task(Projector(Stumbling, log, settings.postgres_url).keep())
    try:
        await until(lambda: rows(settings.postgres_url, "select id from games.games where id = %s", game.id))
    finally:
        await end(folds)
    assert Stumbling.stumbled
