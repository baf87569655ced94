"""Commands, taken by two copies of the game service at once: whichever hears a call first answers it."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta

import msgspec
import pytest
from msgspec import Raw
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from libs.core import calls, subjects
from libs.core.calls import Person, Seen
from libs.runtime import bus, telemetry
from libs.runtime.connection import Connection
from libs.runtime.ids import new_id
from libs.runtime.log import Log, ensure_streams
from libs.runtime.settings import Settings
from tests import servers
from tests.services.copies import MIDNIGHT, NOON, Clock, Game, commands, copy, view


@pytest.fixture(scope="module", params=["one server", "three servers"])
def settings(request: pytest.FixtureRequest) -> Iterator[Settings]:
    """One server and three check an append in a different order."""
    if request.param == "one server":
        with servers.nats_server() as server:
            yield Settings(nats_url=server.url)
    else:
        with servers.nats_cluster() as cluster:
            yield Settings(nats_url=cluster.url, log_replicas=3)


@pytest.fixture
async def connection(settings: Settings) -> AsyncIterator[Connection]:
    client = await bus.connect(settings, "test")
    await ensure_streams(client, settings.log_replicas)
    yield client
    await client.close()


@pytest.fixture(autouse=True)
async def two_copies(settings: Settings, connection: Connection, clock: Clock) -> AsyncIterator[None]:
    async with copy(settings, clock), copy(settings, clock):
        yield


@pytest.fixture
def game(connection: Connection, clock: Clock) -> Game:
    return Game(connection, clock)


async def test_a_guess_is_answered_with_the_view_that_it_made(game: Game) -> None:
    await game.started()
    seen = view(await game.guess(game.ann, "crepe"))
    assert seen["version"] == 3
    assert [guess["word"] for guess in seen["you"]["guesses"]] == ["crepe"]
    assert seen["opponent"]["rows"] == []


async def test_of_twenty_guesses_at_once_six_are_taken_and_none_is_lost(game: Game, log: Log) -> None:
    await game.started()
    answers = await asyncio.gather(*(game.guess(game.ann, "crepe", f"key-{number}") for number in range(20)))
    outcomes = Counter(answer.refused for answer in answers)
    assert outcomes == {None: 6, "finished": 14}
    taken = [f"{game.ann}:key-{number}" for number, answer in enumerate(answers) if answer.refused is None]
    assert sorted(taken) == sorted((await commands(log, game.id))[2:])
    assert sorted(view(answer)["version"] for answer in answers if answer.refused is None) == [3, 4, 5, 6, 7, 8]


async def test_the_same_key_sent_twice_at_once_is_taken_once_and_answered_alike(game: Game, log: Log) -> None:
    await game.started()
    answers = await asyncio.gather(*(game.guess(game.ann, "crepe", "key") for _ in range(8)))
    assert all(answer.seen == answers[0].seen for answer in answers)
    assert (await commands(log, game.id)).count(f"{game.ann}:key") == 1


async def test_a_key_with_another_word_is_refused(game: Game) -> None:
    await game.started()
    await game.guess(game.ann, "crepe", "key")
    assert (await game.guess(game.ann, "banal", "key")).refused == "key_reused"


async def test_the_keys_of_two_players_never_meet(game: Game) -> None:
    await game.started()
    await game.guess(game.ann, "crepe", "key")
    assert (await game.guess(game.bob, "crepe", "key")).refused is None


async def test_a_repetition_after_the_end_gets_the_first_answer(game: Game) -> None:
    await game.started()
    first = await game.guess(game.ann, "crepe", "key")
    await game.guess(game.ann, "banal")
    await game.guess(game.bob, "crepe")
    again = await game.guess(game.ann, "crepe", "key")
    assert again.ended
    assert first.seen == again.seen


async def test_a_repeated_making_leads_to_the_game_that_it_made_first(connection: Connection, clock: Clock) -> None:
    first, second = Game(connection, clock), Game(connection, clock)
    made = await first.open(key="key", by="maker")
    again = await second.open(key="key", by="maker")
    assert (made.game, again.game) == (first.id, first.id)
    assert made.seen == again.seen
    assert (await second.look("maker")).refused == "unknown_game"


async def test_a_making_that_is_repeated_at_once_makes_one_game(connection: Connection, clock: Clock) -> None:
    games = [Game(connection, clock) for _ in range(6)]
    answers = await asyncio.gather(*(game.open(key="at-once", by="maker") for game in games))
    assert len({answer.game for answer in answers}) == 1
    assert {answer.refused for answer in answers} == {None}


async def test_the_key_of_a_making_with_another_secret_is_refused(connection: Connection, clock: Clock) -> None:
    await Game(connection, clock).open(key="one", by="maker")
    other = await Game(connection, clock).open(key="one", by="maker", secret="banal")
    assert other.refused == "key_reused"


async def test_a_making_that_would_now_be_refused_is_still_answered(connection: Connection, clock: Clock) -> None:
    """The words may have changed since: what was made stays made."""
    game = Game(connection, clock)
    made = await game.open(key="word", by="maker")
    again = await game.open(key="word", by="maker")  # by itself it would be refused: the game exists
    assert again.seen == made.seen


async def test_rivals_who_start_at_once_have_one_game(connection: Connection, clock: Clock) -> None:
    pair = f"ann-{new_id()}", f"bob-{new_id()}"
    games = [Game(connection, clock), Game(connection, clock)]
    answers = await asyncio.gather(
        games[0].open(by=pair[0], rival=pair[1]), games[1].open(by=pair[1], rival=pair[0], secret="banal")
    )
    won, lost = sorted(answers, key=lambda answer: answer.refused or "")
    assert (won.refused, lost.refused) == (None, "rival_game_exists")
    assert lost.facts == {"game": won.game}


async def test_rivals_have_another_game_on_another_day(connection: Connection, clock: Clock) -> None:
    first, second = Game(connection, clock), Game(connection, clock)
    assert (await first.open(by="ann", rival="bob")).refused is None
    assert (await second.open(by="ann", rival="bob")).refused == "rival_game_exists"
    clock.now = MIDNIGHT
    assert (await second.open(by="ann", rival="bob")).refused is None


async def test_of_two_who_take_an_invite_at_once_one_gets_it(game: Game) -> None:
    await game.open()
    answers = await asyncio.gather(*(game.do(f"taker-{number}", type="accept", secret="banal") for number in range(4)))
    assert Counter(answer.refused for answer in answers) == {None: 1, "invite_used": 3}


async def test_an_invite_taken_by_a_rival_who_has_todays_game_is_refused_and_stays_open(
    connection: Connection, clock: Clock
) -> None:
    todays, invite = Game(connection, clock), Game(connection, clock)
    await todays.open(by=invite.ann, rival=invite.bob)
    await invite.open()
    refused = await invite.do(invite.bob, type="accept", secret="banal")
    assert (refused.refused, refused.facts) == ("rival_game_exists", {"game": todays.id})
    assert (await invite.do("somebody else", type="accept", secret="banal")).refused is None


async def test_anybody_may_look_at_an_invite(game: Game, clock: Clock) -> None:
    await game.open()
    ask = calls.LookAtInvite(game=game.id, received=clock())
    answer = await game.call(ask)
    assert msgspec.json.decode(answer.body) == {
        "maker": game.ann,
        "state": "open",
        "expires_at": "2026-01-22T17:00:00Z",
    }
    assert (await Game(game._connection, clock).call(calls.LookAtInvite(game=new_id(), received=NOON))).refused == (
        "unknown_invite"
    )


async def test_the_guest_that_an_account_was_keeps_its_seat(game: Game) -> None:
    guest = Person(id="guest-1", guest=True)
    account = Person(id="account-1", aliases=("guest-0", "guest-1"))
    await game.open()
    await game.do(guest, type="accept", secret="banal")
    answer = await game.guess(account, "crepe")
    assert answer.player == "guest-1"
    assert view(answer)["you"]["player"]["id"] == "guest-1"


async def test_a_stranger_sees_nothing(game: Game) -> None:
    await game.started()
    assert (await game.look("eve")).refused == "not_a_player"
    assert (await game.guess("eve", "crepe")).refused == "not_a_player"


async def test_a_game_that_does_not_exist_is_unknown(game: Game) -> None:
    assert (await game.look(game.ann)).refused == "unknown_game"
    assert (await game.guess(game.ann, "crepe")).refused == "unknown_game"
    assert (await game.wake()).refused == "unknown_game"


async def test_the_clock_speaks_only_for_itself(game: Game) -> None:
    await game.started()
    assert (await game.do(game.ann, type="wake")).refused == "not_possible"


async def test_a_look_shows_each_version_since_one_that_is_known(game: Game) -> None:
    await game.started()
    for word in ("banal", "crepe"):
        await game.guess(game.bob, word)
    assert [seen.version for seen in (await game.look(game.ann, 1)).seen] == [2, 3, 4]
    assert [seen.version for seen in (await game.look(game.ann, 3)).seen] == [4]
    assert [seen.version for seen in (await game.look(game.ann, 4)).seen] == [4]
    assert [seen.version for seen in (await game.look(game.ann)).seen] == [4]


async def test_who_joined_later_sees_no_version_from_before(game: Game) -> None:
    await game.open()
    await game.do(game.bob, type="accept", secret="banal")
    await game.guess(game.ann, "crepe")
    assert [seen.version for seen in (await game.look(game.bob, 0)).seen] == [2, 3]


async def test_every_player_is_shown_every_new_version_once(connection: Connection, game: Game) -> None:
    shown: list[tuple[str, int]] = []

    async def hear(message: object) -> None:
        seen = msgspec.json.decode(message.data, type=Seen)  # type: ignore[attr-defined]
        shown.append((message.subject.rpartition(".")[2], seen.version))  # type: ignore[attr-defined]

    await connection.subscribe(subjects.live(game.id, "*"), cb=hear)
    await game.started()
    await game.guess(game.ann, "crepe", "key")
    await game.guess(game.ann, "crepe", "key")
    await connection.flush()
    assert sorted(shown) == sorted((player, version) for player in (game.ann, game.bob) for version in (1, 2, 3))


async def test_a_guess_that_was_received_before_midnight_counts(
    connection: Connection, game: Game, clock: Clock
) -> None:
    await game.started()
    edge = Clock()
    sent = Game(connection, edge, game.id)
    clock.now = MIDNIGHT + timedelta(seconds=1)
    edge.now = MIDNIGHT
    assert (await sent.guess(game.ann, "crepe")).refused == "closed"
    edge.now = MIDNIGHT - timedelta(microseconds=1)
    assert (await sent.guess(game.ann, "crepe")).refused is None


async def test_a_stamp_from_too_long_ago_is_not_believed(connection: Connection, game: Game, clock: Clock) -> None:
    await game.started()
    old = Clock()
    old.now = MIDNIGHT - timedelta(seconds=4)
    clock.now = MIDNIGHT + timedelta(seconds=2)  # six seconds: nothing is under way so long
    assert (await Game(connection, old, game.id).guess(game.ann, "crepe")).refused == "closed"


async def test_the_clock_closes_a_game_at_its_midnight_however_late_it_speaks(game: Game, clock: Clock) -> None:
    await game.started()
    await game.guess(game.ann, "banal")
    clock.now = MIDNIGHT - timedelta(seconds=1)
    early = await game.wake()
    assert (early.ended, early.due) == (False, MIDNIGHT)
    clock.now = MIDNIGHT + timedelta(hours=1)
    both = await asyncio.gather(game.wake(), game.wake())
    assert [(answer.ended, answer.due, answer.refused) for answer in both] == [(True, None, None)] * 2
    result = view(await game.look(game.ann))["result"]
    assert (result["outcome"], result["ended_at"]) == ("win", "2026-01-16T05:00:00Z")
    assert (await game.look(game.ann)).seen[-1].version == 4


async def test_an_ended_game_can_be_audited_by_its_players_alone(game: Game) -> None:
    await game.started()

    async def audit(by: str) -> calls.Answer:
        return await game.call(calls.LookAtAudit(game=game.id, by=Person(id=by)))

    assert (await audit(game.ann)).refused == "not_ended"
    await game.guess(game.ann, "banal")
    await game.guess(game.bob, "crepe")
    answer = await audit(game.ann)
    assert msgspec.json.decode(answer.body)["secrets"] == {game.ann: "crepe", game.bob: "banal"}
    assert (await audit("eve")).refused == "not_a_player"


async def test_no_log_line_tells_a_word(game: Game) -> None:
    with capture_logs() as lines:
        await game.started()
        await game.guess(game.ann, "abbey")
        await game.guess(game.ann, "xyzzy")
    told = [(line["type"], line["outcome"]) for line in lines if line["event"] == "command"]
    assert told == [("open", "stored"), ("secret", "stored"), ("guess", "stored"), ("guess", "unknown_word")]
    for word in ("crepe", "banal", "abbey", "xyzzy", "salt"):
        assert word not in str(lines)


async def test_a_trace_goes_on_into_the_log(connection: Connection, game: Game, log: Log) -> None:
    spans = InMemorySpanExporter()
    telemetry.trace_as("test", Settings(trace_share=1))
    telemetry.watch_spans(SimpleSpanProcessor(spans))
    await game.started()
    trace = "0af7651916cd43dd8448eb211c80319c"
    call = calls.Do(
        game=game.id,
        by=Person(id=game.ann),
        key="key",
        received=NOON,
        command=Raw(b'{"type":"guess","word":"crepe"}'),
    )
    headers = {"traceparent": f"00-{trace}-b7ad6b7169203331-01"}
    await connection.request(subjects.ASK_ANY, msgspec.json.encode(call), timeout=5, headers=headers)
    ours = {span.name for span in spans.get_finished_spans() if f"{span.context.trace_id:032x}" == trace}
    assert ours == {"Do", "append"}
    async for records in log.follow((await log.load(game.id))[-1].sequence):
        assert records[0].trace.startswith(f"00-{trace}-")
        break
