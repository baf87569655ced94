"""What the worker can do. Every task may run twice: what it is about says whether it has been done."""

from datetime import timedelta

import dramatiq
from dramatiq.errors import Retry
from psycopg_pool import ConnectionPool

from libs.runtime.clock import Clock
from libs.runtime.settings import Settings
from libs.runtime.tasks import MAIL_QUEUE, SEND_MAIL
from services.solver import mails


def declare(broker: dramatiq.Broker, pool: ConnectionPool, settings: Settings, now: Clock) -> None:
    """Make the tasks known to this broker."""

    def send_mail(mail_id: str) -> None:
        with pool.connection() as connection:
            pause = mails.send(connection, mail_id, settings, now)
        if pause is not None:
            raise Retry(delay=int(pause / timedelta(milliseconds=1)))

    dramatiq.actor(
        broker=broker,
        actor_name=SEND_MAIL,
        queue_name=MAIL_QUEUE,
        time_limit=120_000,
        max_retries=1_000,  # the row counts the tries and gives up; while PostgreSQL is away nobody should
        min_backoff=5_000,
        max_backoff=600_000,
    )(send_mail)
