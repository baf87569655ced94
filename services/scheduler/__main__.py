"""python -m services.scheduler: any number of copies; one of them leads, all of them listen."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial

import structlog

from libs.runtime import bus, ids, ops, postgres, run
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.log import Log, ensure_streams
from libs.runtime.settings import Settings
from libs.runtime.tables import Tables
from services.scheduler import lease, sweep
from services.scheduler.announce import keep_announcing
from services.scheduler.follow import Timers, follow
from services.scheduler.ring import Ringer

TABLES = ("services.game.tables",)

log = structlog.get_logger()


async def schedule(settings: Settings, stop: asyncio.Event) -> None:
    """Set timers and answer them until told to stop."""
    now = clock(settings.offset)
    async with AsyncExitStack() as closing:
        connected: list[Connection] = []
        tables = Tables(settings.postgres_url, TABLES)
        checks = {
            "tables": lambda: not tables.unfit,
            "nats": lambda: any(connection.is_connected for connection in connected),
        }
        port = closing.enter_context(ops.served(settings.ops_host, settings.ops_port, checks))
        if not await tables.begin(stop):
            return
        connection = await bus.connect(settings, "scheduler")
        closing.push_async_callback(connection.close)
        await ensure_streams(connection, settings.log_replicas, create=settings.create_streams)
        held = lease.Lease(
            await lease.bucket(connection, settings),
            ids.new_id(),
            settings.clock_offset,
            partial(lease.age, connection),
        )
        pool = await closing.enter_async_context(postgres.pool(settings, most=2))
        timers = Timers(connection, settings.offset)
        ringer = Ringer(connection, timers, now)

        sweeper = sweep.Sweeper(pool, ringer.wake_many, now)
        works = (
            partial(follow, Log(connection), timers, held, sweeper.rest),
            sweeper.keep,
            partial(keep_announcing, connection, now),
        )
        closing.push_async_callback(end, asyncio.create_task(tables.keep()))
        connected.append(connection)
        log.info("listening", ops_port=port)
        async with asyncio.TaskGroup() as group:
            group.create_task(ringer.listen(stop, create=settings.create_streams, rest=sweeper.rest))
            group.create_task(lease.lead(held, works, stop))


def main() -> None:
    """Run the scheduler until it is told to end."""
    run.serve("scheduler", schedule)


if __name__ == "__main__":
    main()
