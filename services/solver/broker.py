"""The task queue in PostgreSQL, and the worker that empties it: one process, a few threads."""

from collections.abc import Iterator
from contextlib import contextmanager

import dramatiq
from dramatiq_postgres import PostgresBroker
from dramatiq_postgres.utils import make_pool
from psycopg_pool import ConnectionPool

from libs.runtime.settings import Settings
from services.solver.newer import LeaveToNewer

THREADS = 4
CONNECTIONS = 11  # the threads, two consumers and a listener for each of two queues, one sweep
END_WITHIN = 8_000  # milliseconds for tasks that run when the worker is stopped


def connect(settings: Settings) -> tuple[PostgresBroker, ConnectionPool]:
    """The broker and its pool. Nothing is sent yet: PostgreSQL may be down."""
    pool: ConnectionPool = make_pool(settings.postgres_url, CONNECTIONS)
    broker = PostgresBroker(pool=pool, results=False, poll_interval=2.0)
    broker.add_middleware(LeaveToNewer())
    return broker, pool


@contextmanager
def working(broker: PostgresBroker) -> Iterator[None]:
    """Take tasks from the queue while the block runs; those that are not done by its end go back."""
    worker = dramatiq.Worker(broker, worker_threads=THREADS)
    worker.start()
    try:
        yield
    finally:
        worker.stop(END_WITHIN)
        broker.close()
