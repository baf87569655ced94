"""A notice reaches a browser by its push service: sealed for it, signed by us, once, and never after its end."""

from collections.abc import Iterator
from datetime import timedelta
from typing import LiteralString

import pytest
from msgspec.structs import replace
from psycopg import AsyncConnection

from libs.runtime import ids, postgres, tasks, telemetry
from libs.runtime.clock import clock
from libs.runtime.push_keys import private_key, public_text
from libs.runtime.settings import BadSetting, Settings
from services.solver import broker
from services.solver.notices import pushes
from services.solver.notices.queue import Message, Wish, put
from tests.services.copies import NOON
from tests.services.solver.noticing import account, pushed, sending, subscribed
from tests.services.solver.push_endpoint import PUSH_KEY, Browser, PushEndpoint, push_endpoint
from tests.services.tables import rows
from tests.until import until

NOW = clock()


@pytest.fixture(scope="module", autouse=True)
def _tables(postgres_url: str) -> None:
    postgres.migrate(postgres_url)


@pytest.fixture
def service() -> Iterator[PushEndpoint]:
    with push_endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def here(settings: Settings, service: PushEndpoint) -> Iterator[Settings]:
    yield replace(settings, push_key=PUSH_KEY, push_inside=(service.origin,))
    rows(
        settings.postgres_url,
        "truncate players, notice_choices, push_subscriptions, pushes, notices, mails, sessions, blocks, api_tokens,"
        " sign_ins, identities, moderation.players, dramatiq.queue",
    )


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushes, "FIRST_PAUSE", timedelta(milliseconds=20))
    monkeypatch.setattr(pushes, "LONGEST_PAUSE", timedelta(milliseconds=50))


async def tell(url: str, player: str, *, event: str = "1", minutes: float = 30, by_mail: bool = False) -> None:
    """Queue a notice for this account."""
    now = NOW()
    wish = Wish(
        player=player,
        email=f"{player}@example.com",
        language="en",
        unsubscribe="x",
        by_mail=by_mail,
        by_push=True,
        other="bob",
        name="Bob",
    )
    message = Message(
        occasion="opponent_finished", event=event, path="/game/g1", until=now + timedelta(minutes=minutes)
    )
    async with await AsyncConnection.connect(url) as connection:
        await put(connection, wish, message, "https://words.example", now)


def everything_gone(url: str) -> bool:
    return not pushed(url) and not rows(url, "select message_id from dramatiq.queue")


async def test_the_browser_reads_it_in_its_own_language(here: Settings, service: PushEndpoint) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser(), language="de")
    await tell(url, "ann")
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    assert service.taken == [
        {
            "title": "Bob ist fertig",
            "text": "Auf der anderen Seite wird nicht mehr geraten. Sieh nach, wie das Spiel steht.",
            "language": "de",
            "path": "/game/g1",
            "tag": "opponent_finished:/game/g1",
        }
    ]


async def test_the_service_learns_who_sends_and_how_long_to_keep_it(here: Settings, service: PushEndpoint) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    await tell(url, "ann", minutes=30)
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    [claims], [headers] = service.claims, service.headers
    assert claims["key"] == public_text(private_key(PUSH_KEY))
    assert (claims["aud"], claims["sub"]) == (service.origin, "mailto:hello@wordyard.example")
    assert 0 < claims["exp"] - NOW().timestamp() <= 24 * 3600
    assert 1500 < int(headers["ttl"]) <= 1800
    assert (headers["content-encoding"], headers["urgency"], len(headers["topic"])) == ("aes128gcm", "normal", 32)


async def test_every_browser_of_the_account_shows_it_and_no_other(here: Settings, service: PushEndpoint) -> None:
    url = here.postgres_url
    account(url, "ann")
    account(url, "eve")
    for _ in range(2):
        subscribed(url, "ann", service.browser())
    subscribed(url, "eve", service.browser())
    await tell(url, "ann")
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    assert len(service.taken) == 2


async def test_two_workers_send_each_once(here: Settings, service: PushEndpoint) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    for number in range(20):
        await tell(url, "ann", event=str(number))
        await tell(url, "ann", event=str(number))
    with sending(here, NOW), sending(here, NOW):
        await until(lambda: everything_gone(url), 20)
    assert len(service.taken) == 20


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(here: Settings, service: PushEndpoint, status: int) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    service.refusals = [status]
    await tell(url, "ann")
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    assert (rows(url, "select id from push_subscriptions"), service.taken) == ([], [])


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_service_that_is_busy_is_asked_again(here: Settings, service: PushEndpoint, status: int) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    service.refusals = [status, status]
    await tell(url, "ann")
    with sending(here, NOW):
        await until(lambda: everything_gone(url), 20)
    assert len(service.taken) == 1


async def test_a_service_that_is_away_is_given_up_after_all_tries(
    here: Settings, service: PushEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushes, "TRIES", 2)
    url, away = here.postgres_url, "http://127.0.0.1:1"
    account(url, "ann")
    subscribed(url, "ann", Browser(f"{away}/push"))
    await tell(url, "ann")
    with sending(replace(here, push_inside=(away,)), NOW):
        await until(lambda: everything_gone(url), 20)
    assert len(rows(url, "select id from push_subscriptions")) == 1


@pytest.mark.parametrize("status", [400, 403, 413, 302])
async def test_a_refusal_for_good_is_final_and_keeps_the_browser(
    here: Settings, service: PushEndpoint, status: int
) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    service.refusals = [status]
    await tell(url, "ann")
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    assert (len(rows(url, "select id from push_subscriptions")), service.taken) == (1, [])


async def test_nothing_is_sent_into_our_own_network(here: Settings, service: PushEndpoint) -> None:
    """Not even to an address that got into the table somehow."""
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    await tell(url, "ann")
    with sending(replace(here, push_inside=()), NOW):
        await until(lambda: everything_gone(url))
    assert service.taken == []


async def test_after_its_end_nothing_is_sent(here: Settings, service: PushEndpoint) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    await tell(url, "ann", minutes=0)
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    assert service.taken == []


@pytest.mark.parametrize(
    "since",
    [
        "update sessions set ended_at = now() where id = 's1'",
        "insert into blocks values ('ann', 'bob', now())",
        "insert into blocks values ('bob', 'ann', now())",
        "update players set gone_at = now(), name = null where id = 'bob'",
        "insert into moderation.players values (gen_random_uuid(), 'bob', false, null, true, null)",
        "insert into moderation.players values (gen_random_uuid(), 'ann', false, null, true, null)",
    ],
)
async def test_what_nobody_wants_to_hear_any_more_is_not_sent(
    here: Settings, service: PushEndpoint, since: LiteralString
) -> None:
    url = here.postgres_url
    account(url, "ann")
    account(url, "bob")
    rows(url, "insert into sessions (id, player, made_at, seen_on) values ('s1', 'ann', now(), current_date)")
    subscribed(url, "ann", service.browser(), session="s1")
    await tell(url, "ann", by_mail=True)
    rows(url, since)
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    assert (service.taken, len(rows(url, "select id from push_subscriptions"))) == ([], 1)
    left = [] if "sessions" not in since else ["kept"]  # a mail hangs on no session
    assert [mail["state"] for mail in rows(url, "select state from mails")] == left


async def test_a_browser_whose_session_has_ended_is_not_told(here: Settings, service: PushEndpoint) -> None:
    url = here.postgres_url
    account(url, "ann")
    rows(url, "insert into sessions (id, player, made_at, seen_on) values ('s1', 'ann', now(), current_date)")
    subscribed(url, "ann", service.browser(), session="s1")
    await tell(url, "ann", event="1")
    assert len(pushed(url)) == 1
    rows(url, "update sessions set ended_at = now() where id = 's1'")
    await tell(url, "ann", event="2")
    assert len(pushed(url)) == 1


async def test_a_push_that_lost_its_task_gets_another_and_old_notices_are_forgotten(
    here: Settings, service: PushEndpoint
) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    await tell(url, "ann")
    rows(url, "delete from dramatiq.queue")
    rows(
        url,
        "insert into notices values (%s, 'ann', 'last_hour', 'old', %s)", ids.new_id(), NOON - timedelta(days=400),
    )  # fmt: skip
    _, pool = broker.connect(here)
    with pool:
        pushes.tidy(pool, NOW())
        assert rows(url, "select message_id from dramatiq.queue") == []
        pushes.tidy(pool, clock(timedelta(minutes=1))())
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    assert len(service.taken) == 1
    assert [row["event"] for row in rows(url, "select event from notices")] == ["1"]


async def test_log_lines_hold_no_endpoint_and_no_text(
    here: Settings, service: PushEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    url = here.postgres_url
    account(url, "ann")
    subscribed(url, "ann", service.browser())
    service.refusals = [503, 400]
    telemetry.setup(replace(here, log_level="debug"), "worker")
    await tell(url, "ann")
    with sending(here, NOW):
        await until(lambda: everything_gone(url))
    lines = capsys.readouterr().out
    assert "push not sent yet" in lines
    assert "push failed" in lines
    assert not [secret for secret in ("/push/0", "Bob", PUSH_KEY) if secret in lines]


def test_a_key_that_is_none_ends_the_service_at_once(settings: Settings) -> None:
    with pytest.raises(BadSetting, match="WORDYARD_PUSH_KEY"):
        private_key("short")
    with pytest.raises(BadSetting, match="WORDYARD_PUSH_INSIDE"):
        Settings(push_inside=("http://127.0.0.1:9",))


def test_a_task_is_named_by_its_push() -> None:
    assert tasks.push_task(push := ids.new_id())["id"] == push
