"""The table `pushes`: what is to be shown by a browser. A row goes when it has arrived, or will not arrive any more.

While one is being sent its row is locked, so that no two workers send it: only a kill between the service's yes and
ours sends it twice, and then its tag lets the second take the place of the first.
"""

from datetime import datetime, timedelta

import psycopg
import structlog
from psycopg.rows import class_row
from psycopg_pool import ConnectionPool

from libs.runtime.clock import Clock
from libs.runtime.metrics import PUSHES
from libs.runtime.tasks import QUEUE, push_task
from services.solver.notices.push_service import Gone, Never, NotNow, Push, PushService
from services.solver.unwanted import UNWANTED

TRIES = 8
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=10)
FORGOTTEN_AFTER = timedelta(seconds=30)
"""A push of this age that no task is about has lost it, and gets another."""
KEPT = timedelta(days=2)
"""What was told is known for so long: by then its event is too old to be told again."""

log = structlog.get_logger()


class Waiting(Push, frozen=True, kw_only=True):
    """A push that is to be sent."""

    subscription: str
    attempts: int
    until: datetime
    unwanted: bool


_CLAIM = f"""
select endpoint, p256dh, auth, body, topic, subscription, attempts, until,
    exists (select 1 from sessions where id = s.session and ended_at is not null)
    or exists ({UNWANTED.format(people="p.names || s.player")}) as unwanted
from pushes p join push_subscriptions s on s.id = p.subscription where p.id = %s for update of p skip locked
""".encode()  # noqa: S608 - our own query
_DONE = "delete from pushes where id = %s"
_TRIED = "update pushes set attempts = attempts + 1 where id = %s"
_DROP = "delete from push_subscriptions where id = %s"
_FORGOTTEN = """
select p.id::text from pushes p left join dramatiq.queue on message_id = p.id and queue.state <> 'rejected'
where made_at < %s and message_id is null limit 1000
"""
_TIDY = "delete from notices where made_at < %s"


def send(
    connection: psycopg.Connection[object], push_id: str, service: PushService | None, now: Clock
) -> timedelta | None:
    """Send this push unless that has been done; answers with the pause before the next try, if there must be one."""
    with connection.transaction(), connection.cursor(row_factory=class_row(Waiting)) as cursor:
        push = cursor.execute(_CLAIM, (push_id,)).fetchone()
        if push is None:
            return None
        outcome, pause = _try(push, push_id, service, now())
        if outcome == "retried":
            connection.execute(_TRIED, (push_id,))
        elif outcome == "gone":
            connection.execute(_DROP, (push.subscription,))  # with all that was on its way there
        else:
            connection.execute(_DONE, (push_id,))
    PUSHES.labels(outcome).inc()
    return pause


def _try(push: Waiting, push_id: str, service: PushService | None, now: datetime) -> tuple[str, timedelta | None]:
    if push.unwanted:
        return "unwanted", None
    left = int((push.until - now).total_seconds())
    if left <= 0:
        return "late", None
    try:
        if service is None:
            raise Never("no key is set")
        service.send(push, left)
    except Gone:
        log.info("push subscription gone", push=push_id)
        return "gone", None
    except Never as refusal:
        log.warning("push failed", push=push_id, why=str(refusal))
        return "failed", None
    except NotNow as refusal:
        if push.attempts + 1 >= TRIES:
            log.error("push failed", push=push_id, why=str(refusal), tries=TRIES)
            return "failed", None
        log.warning("push not sent yet", push=push_id, why=str(refusal), tries=push.attempts + 1)
        asked = timedelta(seconds=refusal.pause or 0)
        return "retried", max(asked, min(FIRST_PAUSE * 2**push.attempts, LONGEST_PAUSE))
    return "sent", None


def tidy(pool: ConnectionPool, now: datetime) -> None:
    """Queue every push that has lost its task again, and forget what was told long ago."""
    with pool.connection() as connection:
        for (push_id,) in connection.execute(_FORGOTTEN, (now - FORGOTTEN_AFTER,)).fetchall():
            connection.execute(QUEUE, push_task(push_id))
        connection.execute(_TIDY, (now - KEPT,))
