"""The table `mails`: what is to be sent, what became of it.

A mail is `new` until it is `sent`, `kept` (no server is set: the outbox page shows it), `failed`, or `late` if it was
of use until an instant only and was not sent by then. One that is unwanted by now goes. While it is being sent its row
is locked, so that no two workers send it: only a kill between the server's yes and ours sends it twice.
"""

from datetime import datetime, timedelta

import psycopg
import structlog
from psycopg.rows import class_row
from psycopg_pool import ConnectionPool

from libs.runtime.clock import Clock
from libs.runtime.metrics import MAILS
from libs.runtime.settings import Settings
from libs.runtime.tasks import QUEUE, mail_task
from services.solver.delivery import Mail, Never, NotNow, compose, deliver
from services.solver.unwanted import UNWANTED

TRIES = 12
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=10)
"""After a try in vain: 5, 10, 20 ... seconds, at most ten minutes; twelve tries are an hour."""

FORGOTTEN_AFTER = timedelta(seconds=30)
"""A new mail of this age that no task is about has lost it, and gets another."""

log = structlog.get_logger()


class Waiting(Mail, frozen=True, kw_only=True):
    """A mail that is to be sent, how often that was tried in vain, and until when (UTC) it is of use: none, always."""

    attempts: int
    until: datetime | None
    unwanted: bool


_CLAIM = f"""
select id::text, recipient, subject, body, unsubscribe, attempts, until,
    exists ({UNWANTED.format(people="mails.names || mails.player")}) as unwanted
from mails where id = %s and state = 'new' for update skip locked
""".encode()  # noqa: S608 - our own query
_SENT = """
update mails set state = 'sent', attempts = attempts + 1, sent_at = %s, body = '', recipient = '', unsubscribe = ''
where id = %s
"""
_FAILED = """
update mails set state = %s, attempts = attempts + 1, body = '', recipient = '', unsubscribe = '' where id = %s
"""
_DROP = "delete from mails where id = %s"
_KEPT = "update mails set state = 'kept' where id = %s"
_TRIED = "update mails set attempts = attempts + 1 where id = %s"

_FORGOTTEN = """
select mails.id::text from mails left join dramatiq.queue on message_id = mails.id and queue.state <> 'rejected'
where mails.state = 'new' and made_at < %s and message_id is null
limit 1000
"""


def send(connection: psycopg.Connection[object], mail_id: str, settings: Settings, now: Clock) -> timedelta | None:
    """Send this mail unless that has been done; answers with the pause before the next try, if there must be one."""
    with connection.transaction(), connection.cursor(row_factory=class_row(Waiting)) as cursor:
        mail = cursor.execute(_CLAIM, (mail_id,)).fetchone()
        if mail is None:
            return None
        outcome, pause = _try(mail, settings, now())
        match outcome:
            case "sent":
                connection.execute(_SENT, (now(), mail_id))
            case "kept":
                connection.execute(_KEPT, (mail_id,))
            case "unwanted":
                connection.execute(_DROP, (mail_id,))
            case "failed" | "late":
                connection.execute(_FAILED, (outcome, mail_id))
            case _:
                connection.execute(_TRIED, (mail_id,))
    MAILS.labels(outcome).inc()
    return pause


def _try(mail: Waiting, settings: Settings, now: datetime) -> tuple[str, timedelta | None]:
    if mail.unwanted:
        return "unwanted", None
    if mail.until is not None and now >= mail.until:
        return "late", None
    if not settings.smtp_url:
        return "kept", None
    try:
        deliver(compose(mail, settings.mail_from, now), settings)
    except Never as refusal:
        log.warning("mail failed", mail=mail.id, why=str(refusal))
        return "failed", None
    except NotNow as refusal:
        if mail.attempts + 1 >= TRIES:
            log.error("mail failed", mail=mail.id, why=str(refusal), tries=TRIES)
            return "failed", None
        log.warning("mail not sent yet", mail=mail.id, why=str(refusal), tries=mail.attempts + 1)
        return "retried", min(FIRST_PAUSE * 2**mail.attempts, LONGEST_PAUSE)
    log.info("mail sent", mail=mail.id)
    return "sent", None


def remember(pool: ConnectionPool, now: datetime) -> int:
    """Queue every new mail that has lost its task again; answers with how many there were."""
    with pool.connection() as connection:
        found = connection.execute(_FORGOTTEN, (now - FORGOTTEN_AFTER,)).fetchall()
        for (mail_id,) in found:
            connection.execute(QUEUE, mail_task(mail_id))
    return len(found)
