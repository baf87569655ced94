"""python -m services.game: any number of copies; all answer, one of them folds each projection."""

import asyncio
from contextlib import AsyncExitStack, suppress
from datetime import timedelta
from typing import Any

import structlog

from libs.runtime import bus, ops, postgres, run
from libs.runtime.archive import Archive
from libs.runtime.archived_log import ArchivedLog
from libs.runtime.clock import clock
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.log import ensure_streams
from libs.runtime.settings import Settings
from libs.runtime.tables import Tables
from services.game.answer import Answerer
from services.game.archive_leader import Mover
from services.game.copies import Copy
from services.game.preparing import Preparer
from services.game.project import Projector
from services.game.projections import PROJECTIONS

log = structlog.get_logger()

TABLES = ("services.game.tables",)
LAST_WORDS = 4.0  # seconds to answer what is already asked
ARCHIVE_AT_ONCE = len(PROJECTIONS) + 4
"""Connections to the archive: each projection that begins anew holds one, and players want some beside them."""


async def play(settings: Settings, stop: asyncio.Event) -> None:
    """Answer calls and fold projections until told to stop. Raises `BadSetting` without a key of the Daily."""
    daily_key = settings.key_of_daily
    async with AsyncExitStack() as closing:
        pool = await closing.enter_async_context(postgres.pool(settings, most=2))
        connected: list[Connection] = []
        tables = Tables(settings.postgres_url, TABLES)
        checks = {
            "tables": lambda: not tables.unfit,
            "nats": lambda: any(connection.is_connected for connection in connected),
            "postgres": ops.on_loop(lambda: postgres.is_up(pool)),
        }
        port = closing.enter_context(ops.served(settings.ops_host, settings.ops_port, checks))
        if not await tables.begin(stop):
            return
        connection = await bus.connect(settings, "game")
        closing.push_async_callback(connection.close)
        await ensure_streams(connection, settings.log_replicas, create=settings.create_streams)
        now = clock(settings.offset)
        archive = await closing.enter_async_context(postgres.pool(settings, most=ARCHIVE_AT_ONCE))
        games = ArchivedLog(connection, Archive(archive, now))
        answerer = Answerer(connection, now, daily_key=daily_key, games=games)
        copy = Copy(connection, answerer.hear)
        await copy.join()
        rest = answerer.closer.rest
        projectors = [Projector(each, games, settings.postgres_url, rest) for each in PROJECTIONS.values()]
        preparer = Preparer(pool, answerer.store, copy.owns, rest, now)
        works = [copy.keep(), tables.keep(), preparer.keep(), *(projector.keep() for projector in projectors)]
        if after := settings.archive_after:
            works.append(Mover(games, settings.postgres_url, now, timedelta(days=after)).move())
        tasks = [asyncio.create_task(work) for work in works]
        closing.push_async_callback(end, *tasks)
        connected.append(connection)
        log.info("answering", ops_port=port)
        told: asyncio.Task[Any] = asyncio.create_task(stop.wait())
        ended, _ = await asyncio.wait([told, *tasks], return_when=asyncio.FIRST_COMPLETED)
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                await copy.leave()
        await answerer.finish(LAST_WORDS)
        for task in ended - {told}:  # none of these ends by itself: it has failed
            task.result()


def main() -> None:
    """Run the game service until it is told to end."""
    run.serve("game", play)


if __name__ == "__main__":
    main()
