"""What happens in a game is told, once, to the one who is not there and has asked for it; and to nobody else."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest
from msgspec import json
from msgspec.structs import replace
from psycopg import AsyncConnection

from libs.core import subjects
from libs.core.calls import Person
from libs.core.messages import Commit
from libs.core.version import VERSION
from libs.runtime import ids, postgres
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.solver.notices import hour
from services.solver.notices.follow import Notifier, Overtaken
from tests.services.copies import MIDNIGHT, NOON, Clock, Game, copy
from tests.services.solver.noticing import EVERYTHING, account, looked_at, mailed, noticing
from tests.services.solver.push_endpoint import PUSH_KEY
from tests.services.tables import folded, folding, rows
from tests.until import until

CLOSE = MIDNIGHT.isoformat()


@pytest.fixture(scope="module", autouse=True)
def _tables(postgres_url: str) -> None:
    postgres.migrate(postgres_url)


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hour, "LOOKS", 0.05)


@pytest.fixture
def here(settings: Settings) -> Settings:
    return replace(settings, push_key=PUSH_KEY, public_url="https://words.example")


@pytest.fixture(autouse=True)
async def service(settings: Settings, connection: Connection, clock: Clock) -> AsyncIterator[None]:
    async with copy(settings, clock):
        yield
    rows(
        settings.postgres_url,
        "truncate players, notice_choices, push_subscriptions, pushes, notices, notice_progress, mails, blocks,"
        " sessions, api_tokens, sign_ins, identities, moderation.players, dramatiq.queue",
    )


@pytest.fixture
def game(connection: Connection, clock: Clock) -> Game:
    return Game(connection, clock)


def both(url: str, game: Game, wanted: Sequence[str] = EVERYTHING) -> None:
    account(url, game.ann, mail=wanted)
    account(url, game.bob, mail=wanted)


def told(url: str) -> list[tuple[str, str]]:
    """Who is told what, in the order of its queueing."""
    return [(mail["recipient"].split("@")[0], mail["subject"]) for mail in mailed(url)]


async def invited(game: Game, taker: str | Person | None = None) -> None:
    assert (await game.open()).refused is None
    assert (await game.do(taker or game.bob, type="accept", secret="banal")).refused is None


async def test_the_maker_is_told_that_an_invite_was_taken(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    async with noticing(here, game._clock):
        await invited(game)
        await looked_at(log, url)
    assert told(url) == [(game.ann, f"{game.bob} has taken your invite")]
    [mail] = mailed(url)
    assert f"https://words.example/game/{game.id}\n" in mail["body"]
    assert mail["body"].endswith(f"https://words.example/unsubscribe/stop-{game.ann}\n")
    assert mail["unsubscribe"] == f"https://words.example/unsubscribe/stop-{game.ann}"
    assert (mail["names"], mail["until"].isoformat()) == ([game.bob], CLOSE)


async def test_a_guest_who_takes_it_is_told_of_by_name_and_told_nothing(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    account(url, game.ann, mail=EVERYTHING)
    account(url, game.bob, mail=EVERYTHING, name="Guest Ox")
    rows(url, "update players set guest = true where id = %s", game.bob)
    async with noticing(here, game._clock):
        await invited(game, Person(id=game.bob, guest=True))
        await game.guess(game.ann, "banal")
        await looked_at(log, url)
    assert told(url) == [(game.ann, "Guest Ox has taken your invite")]


async def test_the_rival_is_told_that_todays_game_has_begun(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    async with noticing(here, game._clock):
        await game.started()
        await looked_at(log, url)
    assert told(url) == [(game.bob, f"{game.ann} has started today's game")]


async def test_each_is_told_that_the_other_is_done(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game, ["opponent_finished"])
    async with noticing(here, game._clock):
        await game.started()
        await game.guess(game.ann, "abbey")
        await game.guess(game.ann, "banal")
        await game.guess(game.bob, "crepe")
        await looked_at(log, url)
    assert told(url) == [(game.bob, f"{game.ann} is done"), (game.ann, f"{game.bob} is done")]


async def test_nothing_of_a_word_is_told(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    async with noticing(here, game._clock):
        await game.started()
        await game.guess(game.ann, "banal")
        await game.guess(game.bob, "abbey")
        await game.guess(game.bob, "crepe")
        await looked_at(log, url)
    assert len(mailed(url)) == 3
    everything = str(mailed(url)).lower()
    assert not [word for word in ("crepe", "banal", "abbey", "guess 1", "ccccc") if word in everything]


@pytest.mark.parametrize("wanted", [[], ["last_hour", "invite_taken"]], ids=["nothing", "other things"])
async def test_what_was_not_asked_for_is_not_told(here: Settings, log: Log, game: Game, wanted: list[str]) -> None:
    url = here.postgres_url
    both(url, game, wanted)
    async with noticing(here, game._clock):
        await game.started()
        await game.guess(game.ann, "banal")
        await looked_at(log, url)
    assert (mailed(url), rows(url, "select * from notices")) == ([], [])


@pytest.mark.parametrize("whose", ["ann", "bob"])
async def test_between_two_of_whom_one_blocks_the_other_nothing_is_told(
    here: Settings, log: Log, game: Game, whose: str
) -> None:
    url = here.postgres_url
    both(url, game)
    pair = [game.ann, game.bob] if whose == "ann" else [game.bob, game.ann]
    rows(url, "insert into blocks values (%s, %s, now())", *pair)
    async with noticing(here, game._clock):
        await game.started()
        await game.guess(game.ann, "banal")
        await looked_at(log, url)
    assert mailed(url) == []


@pytest.mark.parametrize("whose", ["ann", "bob"])
async def test_an_account_that_was_closed_is_told_nothing_and_of_it_nothing(
    here: Settings, log: Log, game: Game, clock: Clock, whose: str
) -> None:
    url = here.postgres_url
    both(url, game)
    closed = game.ann if whose == "ann" else game.bob
    rows(url, "insert into moderation.players values (%s, %s, false, null, true, null)", ids.new_id(), closed)
    async with folding(log, url):
        await game.started()
        await folded(log, url)
    async with noticing(here, clock):
        await game.guess(game.ann, "banal")
        clock.now = MIDNIGHT - timedelta(minutes=30)
        await until(lambda: rows(url, "select seq from notice_progress where last_hour is not null"), 20)
    assert told(url) == [(game.bob if whose == "ann" else game.ann, "One hour to midnight")]


async def test_an_account_hears_of_what_it_has_begun_as_a_guest(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    account(url, "ann-of-old", mail=EVERYTHING)
    rows(url, "update players set guest = true, merged_into = 'ann-of-old' where id = %s", game.ann)
    async with noticing(here, game._clock):
        await invited(game)
        await looked_at(log, url)
    assert told(url) == [("ann-of-old", f"{game.bob} has taken your invite")]


async def test_who_plays_against_themselves_is_told_nothing(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    rows(url, "update players set guest = true, merged_into = %s where id = %s", game.bob, game.ann)
    async with noticing(here, game._clock):
        await invited(game)
        await looked_at(log, url)
    assert mailed(url) == []


async def test_two_copies_and_restarts_tell_everything_once(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    async with noticing(here, game._clock):
        async with noticing(here, game._clock):
            await game.started()
            await looked_at(log, url)
        await game.guess(game.ann, "banal")
        await looked_at(log, url)
    rows(url, "update notice_progress set seq = 0")
    async with noticing(here, game._clock), noticing(here, game._clock):
        await game.guess(game.bob, "crepe")
        await looked_at(log, url)
    assert sorted(told(url)) == sorted(
        [
            (game.bob, f"{game.ann} has started today's game"),
            (game.bob, f"{game.ann} is done"),
            (game.ann, f"{game.bob} is done"),
        ]
    )


async def test_a_copy_that_was_overtaken_queues_nothing(here: Settings, log: Log, game: Game) -> None:
    """The advisory lock may fail us (a pooler breaks it); the position does not."""
    url = here.postgres_url
    both(url, game)
    async with noticing(here, game._clock):
        await looked_at(log, url)
    await game.started()
    records = await log.load(game.id)
    async with await AsyncConnection.connect(url, autocommit=True) as connection:
        late = Notifier(here, game._clock)
        with pytest.raises(Overtaken):
            await late.take(connection, log, records)
    assert mailed(url) == []


async def test_after_long_downtime_only_the_last_hour_is_told(
    here: Settings, log: Log, game: Game, connection: Connection, clock: Clock
) -> None:
    url, newer = here.postgres_url, Game(connection, clock)
    both(url, game)
    both(url, newer)
    async with noticing(here, clock):
        await looked_at(log, url)
    await game.started()
    clock.now += timedelta(minutes=90)
    await newer.started()
    clock.now += timedelta(minutes=30)
    async with noticing(here, clock):
        await looked_at(log, url)
    assert told(url) == [(newer.bob, f"{newer.ann} has started today's game")]


async def test_the_first_start_begins_at_the_end_of_the_log(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    await game.started()
    async with noticing(here, game._clock):
        await looked_at(log, url)
        await game.guess(game.ann, "banal")
        await looked_at(log, url)
    assert told(url) == [(game.bob, f"{game.ann} is done")]


async def test_over_an_older_copy_of_the_log_it_goes_on_from_its_end(here: Settings, log: Log, game: Game) -> None:
    url = here.postgres_url
    both(url, game)
    async with noticing(here, game._clock):
        await looked_at(log, url)
    rows(url, "update notice_progress set seq = seq + 1000")
    async with noticing(here, game._clock):
        await until(lambda: rows(url, "select seq from notice_progress where seq < 1000"), 20)
        await game.started()
        await looked_at(log, url)
    assert told(url) == [(game.bob, f"{game.ann} has started today's game")]


async def test_one_hour_to_midnight_is_told_once_to_whoever_has_not_finished(
    here: Settings, log: Log, game: Game, clock: Clock
) -> None:
    url = here.postgres_url
    both(url, game, ["last_hour"])
    async with folding(log, url):
        await game.started()
        await game.guess(game.ann, "banal")
        await folded(log, url)
    clock.now = MIDNIGHT - timedelta(minutes=61)
    async with noticing(here, clock):
        await looked_at(log, url)
    assert told(url) == []
    clock.now = MIDNIGHT - timedelta(minutes=60)
    async with noticing(here, clock), noticing(here, clock):
        await until(lambda: rows(url, "select seq from notice_progress where last_hour is not null"))
    async with noticing(here, clock):
        await looked_at(log, url)
    assert told(url) == [(game.bob, "One hour to midnight")]
    assert mailed(url)[0]["until"].isoformat() == CLOSE


@pytest.mark.parametrize(("minutes", "made_up"), [(59, True), (5, True), (4, False), (-1, False)])
async def test_it_is_made_up_after_downtime_while_it_helps(
    here: Settings, log: Log, game: Game, clock: Clock, minutes: int, made_up: bool
) -> None:
    url = here.postgres_url
    both(url, game, ["last_hour"])
    async with folding(log, url):
        await game.started()
        await folded(log, url)
    clock.now = MIDNIGHT - timedelta(minutes=minutes)
    async with noticing(here, clock):
        if made_up:
            await until(lambda: rows(url, "select seq from notice_progress where last_hour is not null"))
        await looked_at(log, url)
    assert sorted(told(url)) == ([(who, "One hour to midnight") for who in (game.ann, game.bob)] if made_up else [])


async def test_a_record_of_a_newer_release_is_left_to_a_newer_copy_and_what_is_around_it_told(
    here: Settings, log: Log, connection: Connection, game: Game
) -> None:
    url, after = here.postgres_url, Game(connection, game._clock)
    both(url, game)
    both(url, after)
    nudged = Commit(id="eve:1", by="eve", digest="", at=NOON, events=[{"type": "nudged", "at": NOON}], v=VERSION + 1)
    position = "select seq from notice_progress"
    async with noticing(here, game._clock):
        await invited(game)
        before = await log.last_sequence()
        newer = await log.append(subjects.game("duel", ids.new_id()), json.encode(nudged), 0, "nudge")
        await invited(after)
        await until(lambda: rows(url, position) == [{"seq": before}])
        async with await AsyncConnection.connect(url, autocommit=True) as of_newer:
            await of_newer.execute("select pg_advisory_lock(hashtextextended('notices', 0))")
            await of_newer.execute("update notice_progress set seq = %s", (newer,))
        await looked_at(log, url)
    assert [who for who, _ in told(url)] == [game.ann, after.ann]
