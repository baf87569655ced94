"""What a newer release has written or asks: this one leaves it to newer copies, and nothing of it is lost or parked."""

import asyncio

import psycopg
import pytest
from msgspec import Raw, json
from nats.aio.msg import Msg

from libs.core import subjects
from libs.core.calls import TRY_AGAIN, Answer, Do, Look, Person
from libs.core.games.duel.events import Opened
from libs.core.messages import Commit
from libs.core.refusals import Reason
from libs.core.version import VERSION
from libs.runtime import bus, ids
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game.project import Projector
from services.game.projections.games import Games
from tests.services.copies import NOON, Clock, Game, copy, view
from tests.services.tables import rows
from tests.until import until

NEXT = VERSION + 1


def nudged() -> bytes:
    """A record with an event that this release does not know."""
    events = [{"type": "nudged", "at": NOON}]
    return json.encode(Commit(id="ann:2", by="ann", digest="", at=NOON, events=events, v=NEXT))


def opened(game: str) -> bytes:
    event = Opened(at=NOON, game=game, maker="ann", guest=False, words="", expires_at=None)
    return json.encode(Commit(id="ann:1", by="ann", digest="", at=NOON, events=[event], v=NEXT))


async def test_a_game_with_an_event_of_a_newer_release_is_left_to_newer_copies(
    connection: Connection, settings: Settings, log: Log
) -> None:
    clock = Clock()
    game = Game(connection, clock)
    async with copy(settings, clock):
        await game.open()
        newest = (await log.load(game.id))[-1].sequence
        await log.append(subjects.game("duel", game.id), nudged(), newest, "nudge")
        said = await game.look(game.ann)
        assert (said.refused, said.newer) == (TRY_AGAIN, True)
        said = await game.guess(game.ann, "about")
        assert (said.refused, said.newer) == (TRY_AGAIN, True)
    assert len(await log.load(game.id)) == 2


async def test_who_asks_a_copy_that_is_too_old_is_answered_by_another_at_once(
    connection: Connection, settings: Settings
) -> None:
    look = Look(game=ids.new_id(), by=Person(id="ann"))

    async def of_old(message: Msg) -> None:
        await bus.reply(message, Answer(refused=TRY_AGAIN, newer=True))

    async def of_new(message: Msg) -> None:
        await message.respond(b'{"kind":"duel","seen":[{"version":1,"view":{},"mood":"sour"}],"mood":"sour"}')

    asked = await connection.subscribe(subjects.ask(look.game), cb=of_old)
    both = [await connection.subscribe(subjects.ASK_ANY, "game", cb=one) for one in (of_old, of_new)]
    try:
        for _ in range(10):
            assert (await bus.ask(connection, look)).kind == "duel"
    finally:
        for subscription in (asked, *both):
            await subscription.unsubscribe()


@pytest.mark.parametrize(("v", "refused", "newer"), [(VERSION, Reason.NOT_POSSIBLE, False), (NEXT, TRY_AGAIN, True)])
async def test_a_command_that_is_not_understood_is_impossible_unless_a_newer_release_asks(
    connection: Connection, settings: Settings, v: int, refused: str, newer: bool
) -> None:
    clock = Clock()
    game = Game(connection, clock)
    async with copy(settings, clock):
        await game.open()
        nudge = Do(game=game.id, by=Person(id=game.ann), key="1", received=NOON, command=Raw(b'{"type":"nudge"}'), v=v)
        said = await game.call(nudge)
    assert (said.refused, said.newer) == (refused, newer)


async def test_a_game_of_a_kind_that_only_a_newer_release_knows_is_made_by_newer_copies(
    connection: Connection, settings: Settings
) -> None:
    clock = Clock()
    game = Game(connection, clock)
    async with copy(settings, clock):
        said = await game.do(game.ann, kind="halma", type="open", game=game.id)
    assert (said.refused, said.newer) == (TRY_AGAIN, True)


async def test_optional_fields_of_a_newer_release_are_ignored(connection: Connection, settings: Settings) -> None:
    clock = Clock()
    game = Game(connection, clock)
    async with copy(settings, clock):
        await game.open()
        look = {"call": "look", "game": game.id, "by": {"id": game.ann, "mood": "sour"}, "mood": "sour"}
        reply = await connection.request(subjects.ASK_ANY, json.encode(look), timeout=5)
    assert view(json.decode(reply.data, type=Answer))["id"] == game.id


@pytest.mark.usefixtures("game_tables")
async def test_a_projection_stands_back_for_a_newer_copy_and_goes_on_after_it(log: Log, postgres_url: str) -> None:
    rows(postgres_url, "insert into positions values ('games', %s)", await log.last_sequence())
    known, after = ids.new_id(), ids.new_id()
    first = await log.append(subjects.game("duel", known), opened(known), 0, "known")
    newer = await log.append(subjects.game("duel", ids.new_id()), nudged(), 0, "newer")
    last = await log.append(subjects.game("duel", after), opened(after), 0, "after")
    where = "select seq from positions where name = 'games'"
    projector = asyncio.create_task(Projector(Games, log, postgres_url).keep())
    try:
        await until(lambda: rows(postgres_url, where) == [{"seq": first}])
        async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as of_newer:
            await of_newer.execute("select pg_advisory_lock(hashtextextended('projection games', 0))")
            await of_newer.execute("update positions set seq = %s where name = 'games'", (newer,))
        await until(lambda: rows(postgres_url, where) == [{"seq": last}])
    finally:
        await end(projector)
    assert rows(postgres_url, "select seq from parked where seq = any(%s)", [first, newer, last]) == []
    found = rows(postgres_url, "select id::text from games.games where id = any(%s::uuid[])", [known, after])
    assert {row["id"] for row in found} == {known, after}
