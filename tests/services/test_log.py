"""The log, on one server and on three: they check an append in a different order, and must mean the same to us."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest

from libs.core import subjects
from libs.runtime import bus, ids
from libs.runtime.connection import Connection
from libs.runtime.log import Conflict, Log, Next, ensure_streams
from libs.runtime.settings import Settings
from libs.runtime.streams import StreamsDiffer
from tests import servers


@dataclass
class Place:
    """Where a log is."""

    url: str
    replicas: int


@pytest.fixture(scope="module", params=["one server", "three servers"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    if request.param == "one server":
        with servers.nats_server() as server:
            yield Place(server.url, 1)
    else:
        with servers.nats_cluster() as cluster:
            yield Place(cluster.url, 3)


@pytest.fixture
async def connection(place: Place) -> AsyncIterator[Connection]:
    client = await bus.connect(Settings(nats_url=place.url), "test")
    await ensure_streams(client, place.replicas)
    yield client
    await client.close()


@pytest.fixture
def game() -> str:
    return ids.new_id()


@pytest.fixture
def subject(game: str) -> str:
    return subjects.game("duel", game)


async def test_an_appended_record_is_loaded(log: Log, game: str, subject: str) -> None:
    first = await log.append(subject, b"made", 0, "ann:1")
    second = await log.append(subject, b"moved", first, "bob:1")
    records = await log.load(game)
    assert [(record.sequence, record.kind, record.game, record.data) for record in records] == [
        (first, "duel", game, b"made"),
        (second, "duel", game, b"moved"),
    ]
    assert await log.last_sequence() == second


async def test_an_unknown_game_has_no_records(log: Log) -> None:
    assert await log.load(ids.new_id()) == []


async def test_an_append_that_knows_too_little_conflicts_and_stores_nothing(log: Log, game: str, subject: str) -> None:
    first = await log.append(subject, b"made", 0, "ann:1")
    for after in (0, first - 1, first + 1):
        with pytest.raises(Conflict):
            await log.append(subject, b"late", after, f"bob:{after}")
    assert [record.data for record in await log.load(game)] == [b"made"]


async def test_the_same_append_again_conflicts_so_that_its_author_reads_it_back(
    log: Log, game: str, subject: str
) -> None:
    await log.append(subject, b"made", 0, "ann:1")
    with pytest.raises(Conflict):
        await log.append(subject, b"made", 0, "ann:1")
    assert [record.data for record in await log.load(game)] == [b"made"]


async def test_a_known_message_id_never_passes_for_another_record(log: Log, game: str, subject: str) -> None:
    first = await log.append(subject, b"made", 0, "ann:1")
    for after in (0, first):
        with pytest.raises(Conflict):
            await log.append(subject, b"other", after, "ann:1")
    assert [record.data for record in await log.load(game)] == [b"made"]


async def test_the_same_request_key_in_two_games_is_two_commands(log: Log) -> None:
    for _ in range(2):
        assert await log.append(subjects.game("duel", ids.new_id()), b"made", 0, "ann:1")


async def test_a_failed_append_does_not_use_up_its_message_id(log: Log, subject: str) -> None:
    first = await log.append(subject, b"made", 0, "ann:1")
    with pytest.raises(Conflict):
        await log.append(subject, b"moved", 0, "bob:1")
    assert await log.append(subject, b"moved", first, "bob:1") > first


async def test_fifty_writers_of_one_game_take_turns(log: Log, game: str, subject: str) -> None:
    async def write(name: str) -> None:
        while True:
            records = await log.load(game)
            try:
                before = records[-1].sequence if records else 0
                await log.append(subject, f"{name} {len(records)}".encode(), before, name)
            except Conflict:
                continue
            return

    await asyncio.gather(*(write(f"player-{number}") for number in range(50)))
    records = await log.load(game)
    assert [int(record.data.split()[1]) for record in records] == list(range(50))
    assert len({record.data.split()[0] for record in records}) == 50


async def test_a_game_and_its_claims_are_stored_together(log: Log, game: str, subject: str) -> None:
    claims = [(subjects.claim(f"{game} {name}"), name.encode()) for name in ("pair", "key")]
    sequence = await log.append(subject, b"made", 0, "ann:1", claims)
    [record] = await log.load(game)
    assert (record.sequence, record.data) == (sequence, b"made")
    assert [await log.claim(claim) for claim, _ in claims] == [b"pair", b"key"]


async def test_a_claim_that_is_taken_stops_the_game_and_the_other_claims(log: Log, game: str) -> None:
    taken, free = subjects.claim(f"{game} taken"), subjects.claim(f"{game} free")
    await log.append(subjects.game("duel", ids.new_id()), b"first", 0, "ann:1", [(taken, b"first")])
    for claims in ([(free, b"x"), (taken, b"x")], [(taken, b"x"), (free, b"x")]):
        with pytest.raises(Conflict):
            await log.append(subjects.game("duel", game), b"second", 0, "bob:1", claims)
    assert await log.load(game) == []
    assert await log.claim(taken) == b"first"
    assert await log.claim(free) is None


async def test_a_game_that_has_moved_on_stops_its_claims(log: Log, game: str, subject: str) -> None:
    first = await log.append(subject, b"made", 0, "ann:1")
    claim = subjects.claim(game)
    with pytest.raises(Conflict):
        await log.append(subject, b"moved", first - 1, "bob:1", [(claim, b"x")])
    assert await log.claim(claim) is None
    assert await log.append(subject, b"moved", first, "bob:1", [(claim, b"y")]) > first
    assert await log.claim(claim) == b"y"


async def test_a_batch_that_is_sent_again_conflicts(log: Log, game: str, subject: str) -> None:
    claims = [(subjects.claim(game), b"x")]
    await log.append(subject, b"made", 0, "ann:1", claims)
    with pytest.raises(Conflict):
        await log.append(subject, b"made", 0, "ann:1", claims)


async def test_of_twenty_who_claim_the_same_one_wins(log: Log, game: str) -> None:
    claim = subjects.claim(game)
    games = [ids.new_id() for _ in range(20)]

    async def make(one: str) -> bool:
        try:
            await log.append(subjects.game("duel", one), b"made", 0, one, [(claim, one.encode())])
        except Conflict:
            return False
        return True

    won = await asyncio.gather(*(make(one) for one in games))
    assert sum(won) == 1
    stored = [one for one in games if await log.load(one)]
    assert stored == [games[won.index(True)]]
    assert await log.claim(claim) == stored[0].encode()


async def test_a_game_longer_than_a_page_is_loaded_whole(log: Log, game: str, subject: str) -> None:
    after = 0
    for number in range(1, 1202):
        after = await log.append(subject, str(number).encode(), after, str(number))
    records = await log.load(game)
    assert [int(record.data) for record in records] == list(range(1, 1202))


async def test_the_notice_of_a_record_holds_no_word_of_it(log: Log, connection: Connection, game: str) -> None:
    notices = await connection.subscribe(subjects.notice(game))
    await connection.flush()
    claims = [(subjects.claim(game), b"secret claim")]
    sequence = await log.append(subjects.game("duel", game), b"secret", 0, "ann:1", claims)
    notice = await notices.next_msg(5)
    assert (notice.subject, notice.data) == (f"log.duel.{game}", b"")
    assert notice.headers is not None
    assert (notice.headers["Nats-Sequence"], notice.headers["Nats-Last-Sequence"]) == (str(sequence), "0")


async def test_streams_are_made_once_and_compared_ever_after(connection: Connection, place: Place) -> None:
    await ensure_streams(connection, place.replicas, create=False)
    js = connection.jetstream()
    await js.delete_stream(subjects.CHAT)
    with pytest.raises(StreamsDiffer, match="CHAT"):
        await ensure_streams(connection, place.replicas, create=False)
    await js.add_stream(name=subjects.CHAT, subjects=["chat.>"])
    with pytest.raises(StreamsDiffer, match="max_age"):
        await ensure_streams(connection, place.replicas, create=False)
    await ensure_streams(connection, place.replicas)
    await ensure_streams(connection, place.replicas, create=False)


async def test_no_record_can_be_taken_out_of_a_game(log: Log, connection: Connection, game: str, subject: str) -> None:
    sequence = await log.append(subject, b"made", 0, "ann:1")
    question = f"$JS.API.STREAM.MSG.DELETE.{subjects.GAMES}"
    assert b'"error"' in (await connection.request(question, b'{"seq": %d}' % sequence)).data
    assert len(await log.load(game)) == 1


async def test_records_of_many_games_are_stored_together_one_after_the_other(log: Log) -> None:
    games = [ids.new_id() for _ in range(300)]
    names = [subjects.game("duel", game) for game in games]
    first = await log.append_all([Next(name, b"made", 0, "ann:1") for name in names])
    second = await log.append_all([Next(name, b"moved", at, "bob:1") for name, at in zip(names, first, strict=True)])
    for game, *sequences in zip(games, first, second, strict=True):
        assert [record.sequence for record in await log.load(game)] == sequences
    assert await log.newest(names) == dict(zip(names, second, strict=True))


async def test_a_game_that_has_moved_on_stops_all_that_were_to_be_stored_with_it(log: Log) -> None:
    games = [ids.new_id() for _ in range(20)]
    names = [subjects.game("duel", game) for game in games]
    moved = await log.append(names[7], b"made", 0, "ann:1")
    with pytest.raises(Conflict):
        await log.append_all([Next(name, b"made", 0, "bob:1") for name in names])
    assert await log.newest(names) == {names[7]: moved}
    stored = await log.append_all([Next(name, b"made", 0, "bob:1") for name in names if name != names[7]])
    assert len(stored) == 19
