"""PostgreSQL: a pool, and numbered table files applied in order."""

import asyncio
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable

import psycopg
from psycopg_pool import AsyncConnectionPool

from libs.runtime.settings import Settings

TABLES = ("services.game.tables", "services.api.tables", "services.solver.tables")
"""Where the numbered table files are; their numbers count on their own in each."""

MIGRATING = 0x776F7264  # the advisory lock of whoever migrates: "word"


def pool(settings: Settings, most: int = 8) -> AsyncConnectionPool[psycopg.AsyncConnection]:
    """A pool that is not yet open and does not insist: opened while PostgreSQL is down, it keeps trying."""
    return AsyncConnectionPool(
        settings.postgres_url,
        min_size=1,
        max_size=most,
        timeout=2,
        reconnect_timeout=0,
        open=False,
        check=AsyncConnectionPool.check_connection,
        kwargs={"autocommit": True, "connect_timeout": 2},
    )


def _numbered(package: str) -> Iterable[tuple[str, Traversable]]:
    found = [file for file in files(package).iterdir() if file.name.endswith(".sql")]
    return ((f"{package}/{file.name}", file) for file in sorted(found, key=lambda file: file.name))


def migrate(url: str, packages: Iterable[str] = TABLES) -> list[str]:
    """Apply the table files that this database lacks, each once, in one transaction; answers with their names.

    Two that migrate at once wait for each other.
    """
    done = []
    with psycopg.connect(url) as connection:
        connection.execute("select pg_advisory_xact_lock(%s)", (MIGRATING,))
        connection.execute(
            "create table if not exists migrations (name text primary key, at timestamptz not null default now())"
        )
        known = {name for (name,) in connection.execute("select name from migrations")}
        for package in packages:
            for name, file in _numbered(package):
                if name not in known:
                    connection.execute(file.read_bytes())
                    connection.execute("insert into migrations (name) values (%s)", (name,))
                    done.append(name)
    return done


async def is_up(connections: AsyncConnectionPool[psycopg.AsyncConnection]) -> bool:
    """Does PostgreSQL answer within a second?"""
    try:
        async with asyncio.timeout(1), connections.connection(timeout=1) as connection:
            await connection.execute("select 1")
    except (psycopg.Error, TimeoutError, OSError):
        return False
    return True
