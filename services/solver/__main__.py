"""python -m services.solver: the worker."""

import asyncio
from contextlib import closing, suppress

import psycopg
import structlog
from psycopg_pool import ConnectionPool, PoolTimeout

from libs.runtime import ops, run
from libs.runtime.clock import Clock, clock
from libs.runtime.ending import end
from libs.runtime.settings import Settings
from libs.runtime.tables import Tables
from services.solver import broker, lists, mails, tasks
from services.solver.notices import pushes
from services.solver.notices.follow import Notifier

SWEEP_EVERY = 15.0  # seconds

log = structlog.get_logger()


async def work(settings: Settings, stop: asyncio.Event) -> None:
    """Take tasks until told to stop, once the tables suit this release."""
    now = clock(settings.offset)
    tables = Tables(settings.postgres_url)
    queue, pool = broker.connect(settings)
    tasks.declare(queue, pool, settings, now)
    checks = {"postgres": lambda: _is_up(pool), "tables": lambda: not tables.unfit}
    with closing(pool), ops.served(settings.ops_host, settings.ops_port, checks) as port:
        if not await tables.begin(stop):
            return
        with broker.working(queue):
            log.info("working", ops_port=port)
            beside = [asyncio.create_task(each) for each in (Notifier(settings, now).keep(), tables.keep())]
            try:
                await _sweep(pool, now, stop)
            finally:
                await end(*beside)


async def _sweep(pool: ConnectionPool, now: Clock, stop: asyncio.Event) -> None:
    """Find what has lost its task, now and then, until told to stop."""
    words = lists.newest()
    while not stop.is_set():
        try:
            if found := await asyncio.to_thread(mails.remember, pool, now()):
                log.warning("mails had lost their tasks", mails=found)
            await asyncio.to_thread(pushes.tidy, pool, now())
            await asyncio.to_thread(lists.remember, pool, words)
        except (psycopg.Error, PoolTimeout) as error:
            log.warning("no sweep", error=type(error).__name__)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), SWEEP_EVERY)


def _is_up(pool: ConnectionPool) -> bool:
    with pool.connection(timeout=1) as connection:
        connection.execute("select 1")
    return True


def main() -> None:
    """Run the worker until it is told to end."""
    run.serve("worker", work)


if __name__ == "__main__":
    main()
