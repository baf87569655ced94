"""A mail is queued with its cause, sent once, tried again when refused for now, and given up when refused for good."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest
from msgspec.structs import replace

from libs.runtime import ids, tasks
from libs.runtime.clock import clock
from libs.runtime.postgres import migrate
from libs.runtime.settings import Settings
from services.solver import broker, mails
from services.solver.tasks import declare
from tests.services.solver.mail_server import Mailbox, mail_server
from tests.until import until

TEXT = "It is déjà vu"


@pytest.fixture(scope="module", autouse=True)
def _tables(postgres_url: str) -> None:
    migrate(postgres_url)


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mail_server() as box:
        yield box


@pytest.fixture
def mail_settings(settings: Settings, box: Mailbox) -> Settings:
    return replace(settings, smtp_url=box.url)


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[psycopg.AsyncConnection[tuple[object, ...]]]:
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as connection:
        yield connection
        await connection.execute("truncate mails, dramatiq.queue")


@contextmanager
def worker(settings: Settings) -> Iterator[None]:
    queue, pool = broker.connect(settings)
    declare(queue, pool, settings, clock())
    with pool, broker.working(queue):
        yield


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mails, "FIRST_PAUSE", timedelta(milliseconds=20))
    monkeypatch.setattr(mails, "LONGEST_PAUSE", timedelta(milliseconds=50))


async def put(database: psycopg.AsyncConnection[tuple[object, ...]], *, queued: bool = True) -> str:
    mail = ids.new_id()
    async with database.transaction():
        await database.execute(
            "insert into mails (id, recipient, subject, body, made_at)"
            " values (%s, 'ann@example.com', 'Your link', %s, %s)",
            (mail, TEXT, clock()()),
        )
        if queued:
            await tasks.send_mail(database, mail)
    return mail


async def state(database: psycopg.AsyncConnection[tuple[object, ...]], mail: str) -> tuple[object, ...]:
    query = "select state, attempts, body || recipient, sent_at is not null from mails where id = %s"
    row = await (await database.execute(query, (mail,))).fetchone()
    assert row is not None
    return row


async def test_a_mail_is_sent_and_then_forgotten(database, mail_settings: Settings, box: Mailbox) -> None:
    mail = await put(database)
    with worker(mail_settings):
        await until(lambda: box.taken)
        await until(lambda: _is(database, mail, ("sent", 1, "", True)))
    (message,) = box.taken
    assert (message["To"], message["Subject"]) == ("ann@example.com", "Your link")
    assert message["From"] == mail_settings.mail_from
    assert message["Message-ID"] == f"<{mail}@wordyard.example>"
    assert message.get_content().strip() == TEXT


async def test_a_refusal_for_now_is_tried_again(database, mail_settings: Settings, box: Mailbox) -> None:
    box.refusals = ["451 not now", "451 not now"]
    mail = await put(database)
    with worker(mail_settings):
        await until(lambda: _is(database, mail, ("sent", 3, "", True)), 20)
    assert len(box.taken) == 1


async def test_a_refusal_for_good_is_final(database, mail_settings: Settings, box: Mailbox) -> None:
    box.refusals = ["550 nobody here"]
    mail = await put(database)
    with worker(mail_settings):
        await until(lambda: _is(database, mail, ("failed", 1, "", False)))
    assert box.taken == []


async def test_a_server_that_is_away_is_given_up_after_all_tries(
    database, mail_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mails, "TRIES", 2)
    mail = await put(database)
    with worker(replace(mail_settings, smtp_url="smtp://127.0.0.1:1")):
        await until(lambda: _is(database, mail, ("failed", 2, "", False)), 20)


async def test_without_a_server_mail_is_kept_for_the_outbox_page(database, settings: Settings) -> None:
    mail = await put(database)
    with worker(settings):
        await until(lambda: _is(database, mail, ("kept", 0, f"{TEXT}ann@example.com", False)))


@pytest.mark.parametrize(
    "recipient",
    ["", "ann@example.com\nBcc: eve@x.y", "=?utf-8?q?eve=40x.y=2c?=@example.com", "ann@example.com, eve@x.y"],
    ids=["forgotten", "smuggles a header", "is read as another one", "are two"],
)
async def test_to_such_a_recipient_nothing_is_sent(
    database, mail_settings: Settings, box: Mailbox, recipient: str
) -> None:
    mail = await put(database, queued=False)
    await database.execute("update mails set recipient = %s where id = %s", (recipient, mail))
    await tasks.send_mail(database, mail)
    with worker(mail_settings):
        await until(lambda: _is(database, mail, ("failed", 1, "", False)))
    assert box.taken == []


async def test_two_workers_send_each_mail_once(database, mail_settings: Settings, box: Mailbox) -> None:
    sent = [await put(database) for _ in range(20)]
    with worker(mail_settings), worker(mail_settings):
        await until(lambda: len(box.taken) >= len(sent), 20)
        for mail in sent:
            await until(lambda mail=mail: _is(database, mail, ("sent", 1, "", True)))
            await tasks.send_mail(database, mail)
        await until(lambda: _idle(database))
    assert len(box.taken) == len(sent)


async def test_a_mail_that_lost_its_task_gets_another(database, mail_settings: Settings, box: Mailbox) -> None:
    lost, waiting = await put(database, queued=False), await put(database)
    _, pool = broker.connect(mail_settings)
    with pool:
        assert mails.remember(pool, clock()()) == 0
        assert mails.remember(pool, clock(timedelta(minutes=1))()) == 1
    with worker(mail_settings):
        for mail in (lost, waiting):
            await until(lambda mail=mail: _is(database, mail, ("sent", 1, "", True)))
    assert len(box.taken) == 2


async def test_a_mail_and_its_task_are_stored_together_or_not_at_all(database) -> None:
    async with database.transaction(force_rollback=True):
        await put(database)
        assert not await _idle(database)
    assert await _idle(database)


async def _is(database, mail: str, wanted: tuple[object, ...]) -> bool:
    return await state(database, mail) == wanted


async def _idle(database) -> bool:
    row = await (await database.execute("select count(*) from dramatiq.queue")).fetchone()
    return row == (0,)
