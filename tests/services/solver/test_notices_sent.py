"""From the log to the mail server by worker processes: each notice arrives once, though they are killed."""

import signal
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from msgspec.structs import replace

from libs.runtime import postgres, tasks
from libs.runtime.clock import Clock, clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from tests.services.api.service import Process
from tests.services.copies import NOON, Game, copy
from tests.services.solver.mail_server import Mailbox, mail_server
from tests.services.solver.noticing import EVERYTHING, account, looked_at, sending, subscribed
from tests.services.solver.push_endpoint import PUSH_KEY, PushEndpoint, push_endpoint
from tests.services.tables import rows
from tests.until import until


@pytest.fixture(scope="module", autouse=True)
def _tables(postgres_url: str) -> None:
    postgres.migrate(postgres_url)


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def service() -> Iterator[PushEndpoint]:
    with push_endpoint() as endpoint:
        yield endpoint


@pytest.fixture
def here(settings: Settings, box: Mailbox, service: PushEndpoint) -> Settings:
    return replace(
        settings,
        smtp_url=box.url,
        public_url="https://words.example",
        push_key=PUSH_KEY,
        push_inside=(service.origin,),
        clock_offset=(NOON - clock()()).total_seconds(),
    )


@pytest.fixture
def now(here: Settings) -> Clock:
    return clock(here.offset)


@pytest.fixture
async def game(here: Settings, connection: Connection, now: Clock) -> AsyncIterator[Game]:
    async with copy(here, now):  # type: ignore[arg-type]  # any clock will do
        yield Game(connection, now)  # type: ignore[arg-type]


def idle(url: str) -> bool:
    """Has everything been sent, and is that known?"""
    return not rows(url, "select message_id from dramatiq.queue where queue_name = 'mail'")


async def test_mails_and_pushes_arrive_once_though_the_leader_is_killed(
    here: Settings, log: Log, game: Game, box: Mailbox, service: PushEndpoint, tmp_path: Path
) -> None:
    url = here.postgres_url
    for player in (game.ann, game.bob):
        account(url, player, mail=EVERYTHING, push=EVERYTHING)
        subscribed(url, player, service.browser())
    first = Process("solver", here, tmp_path / "first.log")
    try:
        await until(lambda: "looks for notices" in first.lines(), 30)
        second = Process("solver", here, tmp_path / "second.log")
        try:
            await game.started()
            await until(lambda: len(box.taken) == 1 and len(service.taken) == 1 and idle(url), 20)
            first.send(signal.SIGKILL)
            await game.guess(game.ann, "banal")
            await game.guess(game.bob, "crepe")
            await until(lambda: "looks for notices" in second.lines(), 30)
            await looked_at(log, url)
            await until(lambda: idle(url), 90)
            assert "Traceback" not in second.lines()
            said = second.lines() + first.lines()
        finally:
            second.end()
    finally:
        first.send(signal.SIGKILL)
        first.wait()
    titles = [f"{game.ann} has started today's game", f"{game.ann} is done", f"{game.bob} is done"]
    assert sorted(str(mail["Subject"]) for mail in box.taken) == sorted(titles)
    assert sorted(push["title"] for push in service.taken) == sorted(titles)
    assert not [secret for secret in ("crepe", "banal", "@example.com", "stop-", service.origin) if secret in said]


async def test_a_mail_says_how_to_get_no_more_and_is_not_sent_too_late(
    here: Settings, box: Mailbox, now: Clock
) -> None:
    url, end = here.postgres_url, now() + timedelta(minutes=10)
    put = """
    with mail as (
        insert into mails (id, recipient, subject, body, made_at, unsubscribe, until)
        values (gen_random_uuid(), %s, 'Hello', 'Hello', now() - interval '1 hour', %s, %s) returning id
    )
    select id::text from mail
    """
    stop = "https://words.example/unsubscribe/x"
    for who, until_when in (("ann@example.com", end), ("late@example.com", now())):
        [row] = rows(url, put, who, stop, until_when)
        with psycopg.connect(url) as connection:
            connection.execute(tasks.QUEUE, tasks.mail_task(row["id"]))
    with sending(here, now):
        await until(lambda: not rows(url, "select id from mails where state = 'new'"), 20)
    [mail] = box.taken
    assert mail["To"] == "ann@example.com"
    assert mail["List-Unsubscribe"] == f"<{stop}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert rows(url, "select body || recipient || unsubscribe as kept from mails where state = 'late'") == [
        {"kept": ""}
    ]
