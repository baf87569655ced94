"""Projections in tests: folding while a block runs, and looking at what came of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

from libs.runtime.ending import end
from libs.runtime.log import Log
from services.game.project import Projector
from services.game.projections import PROJECTIONS
from tests.until import until


@asynccontextmanager
async def folding(log: Log, url: str) -> AsyncIterator[None]:
    """One copy's projectors."""
    tasks = [asyncio.create_task(Projector(each, log, url).keep()) for each in PROJECTIONS.values()]
    try:
        yield
    finally:
        await end(*tasks)


def rows(url: str, query: LiteralString, *values: Any) -> list[dict[str, Any]]:
    """What a query finds."""
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
        cursor = connection.execute(query, values)
        return cursor.fetchall() if cursor.description else []


async def folded(log: Log, url: str) -> None:
    """Wait until every projection has folded all that is in the log now."""
    end = await log.last_sequence()

    def reached() -> bool:
        found = rows(url, "select name from positions where seq >= %s", end)
        return {row["name"] for row in found} >= set(PROJECTIONS)

    await until(reached, 30)
