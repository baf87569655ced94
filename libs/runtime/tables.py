"""Whether the tables suit this release, watched by each service that uses them."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress

import psycopg
import structlog
from psycopg import AsyncConnection, errors

from libs.runtime.steps import APPLIED, TABLES, Fit, fit

LOOKED = 5.0  # seconds between two looks
AGAIN = 1.0  # seconds, while they do not suit us

log = structlog.get_logger()


class Tables:
    """The tables of these packages in this database.

    `unfit` says why we cannot work with them; empty while we can. `begun`: have we been able to, or could nobody say?
    """

    def __init__(self, url: str, packages: Iterable[str] = TABLES) -> None:
        self.unfit = ""
        self.begun = False
        self._url = url
        self._packages = tuple(packages)
        self._last = Fit("exact")

    async def begin(self, stop: asyncio.Event) -> bool:
        """Wait until we can work with them, or nobody can say; answers with no if we are told to end before."""
        await self.look()
        while self.unfit and not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), AGAIN)
            await self.look()
        return not stop.is_set()

    async def keep(self) -> None:
        """Look for ever: a newer release may change them under us."""
        while True:
            await self.look()
            await asyncio.sleep(AGAIN if self.unfit else LOOKED)

    async def look(self) -> None:
        """Look once; while PostgreSQL is away nothing new is known."""
        try:
            found = fit(await _applied(self._url), self._packages)
        except (psycopg.Error, OSError):
            self.begun = self.begun or not self.unfit
            return
        if found != self._last:
            _tell(found)
        self._last, self.unfit = found, "" if found.good else found.what
        self.begun = self.begun or found.good


async def _applied(url: str) -> Mapping[str, str]:
    async with await AsyncConnection.connect(url, autocommit=True, connect_timeout=2) as connection:
        try:
            return dict(await (await connection.execute(APPLIED)).fetchall())
        except errors.UndefinedTable:
            return {}


def _tell(found: Fit) -> None:
    if found.state == "exact":
        log.info("tables.exact")
    elif found.state == "newer":
        log.warning("tables.newer", detail=found.what, hint="of a newer release; this one works on")
    elif found.state == "older":
        log.error("tables.older", detail=found.what, hint="run `wordyard prepare` of this release")
    else:
        log.error("tables.gone", detail=found.what, hint="start a newer release")
