"""Notices in tests: accounts that want to be told, copies that look for it, and what is on its way."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from libs.runtime.clock import Clock
from libs.runtime.ending import end
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.solver import broker
from services.solver.notices.follow import Notifier
from services.solver.tasks import declare
from tests.services.solver.push_endpoint import Browser
from tests.services.tables import rows
from tests.until import until

EVERYTHING = ("invite_taken", "rival_started", "opponent_finished", "last_hour")


@asynccontextmanager
async def noticing(settings: Settings, clock: Clock) -> AsyncIterator[None]:
    """One copy that looks for notices; it has begun when the block does, unless another one leads."""
    keeping = asyncio.create_task(Notifier(settings, clock).keep())
    try:
        await until(lambda: rows(settings.postgres_url, "select seq from notice_progress"))
        yield
    finally:
        await end(keeping)


@contextmanager
def sending(settings: Settings, clock: Clock) -> Iterator[None]:
    """One copy that sends what is queued."""
    queue, pool = broker.connect(settings)
    declare(queue, pool, settings, clock)
    with pool, broker.working(queue):
        yield


async def looked_at(log: Log, url: str) -> None:
    """Wait until all that is in the log now was looked at."""
    newest = await log.last_sequence()
    await until(lambda: rows(url, "select seq from notice_progress where seq >= %s", newest))


def account(
    url: str, player: str, *, mail: Sequence[str] = (), push: Sequence[str] = (), language: str = "en", name: str = ""
) -> None:
    """An account, and what it wants to be told of."""
    shown = name or player
    rows(
        url,
        "insert into players (id, name, skeleton, email, guest, made_at) values (%s, %s, %s, %s, false, now())",
        player, shown, shown, f"{player}@example.com",
    )  # fmt: skip
    rows(
        url,
        "insert into notice_choices values (%s, %s, %s, %s, %s)",
        player, list(mail), list(push), language, f"stop-{player}",
    )  # fmt: skip


def subscribed(url: str, player: str, browser: Browser, *, language: str = "en", session: str | None = None) -> None:
    """This browser shows the account's notices."""
    rows(
        url,
        "insert into push_subscriptions values (%s, %s, %s, %s, %s, %s, %s, now())",
        browser.endpoint, player, session, browser.endpoint, browser.p256dh, browser.auth, language,
    )  # fmt: skip


def mailed(url: str) -> list[dict[str, Any]]:
    """The mails that are queued, the oldest first."""
    return rows(url, "select recipient, subject, body, unsubscribe, until, names, state from mails order by id")


def pushed(url: str) -> list[dict[str, Any]]:
    """The pushes that are on their way, the oldest first."""
    return rows(url, "select subscription, body, attempts from pushes order by id")
