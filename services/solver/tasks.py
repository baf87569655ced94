"""What the worker can do. Every task may run twice: what it is about says whether it has been done."""

from datetime import timedelta

import dramatiq
from dramatiq.errors import Retry
from psycopg_pool import ConnectionPool

from libs.runtime.clock import Clock
from libs.runtime.settings import Settings
from libs.runtime.tasks import FIRST_ROWS, MAIL_QUEUE, OPENINGS, REVIEW, SEND_MAIL, SEND_PUSH, SOLVER_QUEUE
from services.solver import mails, place
from services.solver.notices import pushes
from services.solver.notices.push_service import PushService


def declare(broker: dramatiq.Broker, pool: ConnectionPool, settings: Settings, now: Clock) -> None:
    """Make the tasks known to this broker. Raises `BadSetting`."""
    folder = place.folder(settings.solver_folder)
    service = PushService(settings) if settings.push_key else None

    def send_mail(mail_id: str) -> None:
        with pool.connection() as connection:
            pause = mails.send(connection, mail_id, settings, now)
        if pause is not None:
            raise Retry(delay=int(pause / timedelta(milliseconds=1)))

    def send_push(push_id: str) -> None:
        with pool.connection() as connection:
            pause = pushes.send(connection, push_id, service, now)
        if pause is not None:
            raise Retry(delay=int(pause / timedelta(milliseconds=1)))

    def review(game: str) -> None:
        from services.solver import jobs  # arrays, and 30 MB that mail does without

        with pool.connection() as connection:
            jobs.review_game(connection, folder, game)

    def openings(words: str) -> None:
        from services.solver import jobs

        with pool.connection() as connection:
            jobs.work_out_openings(connection, folder, words, now())

    def first_rows(words: str) -> None:
        from services.solver import jobs

        with pool.connection() as connection:
            jobs.work_out_first_rows(connection, folder, words, now())

    for name, sending in ((SEND_MAIL, send_mail), (SEND_PUSH, send_push)):
        dramatiq.actor(
            broker=broker,
            actor_name=name,
            queue_name=MAIL_QUEUE,
            time_limit=120_000,
            max_retries=1_000,  # the row counts the tries and gives up; while PostgreSQL is away nobody should
            min_backoff=5_000,
            max_backoff=600_000,
        )(sending)
    for name, work in ((REVIEW, review), (OPENINGS, openings), (FIRST_ROWS, first_rows)):
        dramatiq.actor(
            broker=broker,
            actor_name=name,
            queue_name=SOLVER_QUEUE,
            time_limit=60_000,
            max_retries=20,
            min_backoff=1_000,
            max_backoff=60_000,
        )(work)
