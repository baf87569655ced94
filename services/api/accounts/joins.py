"""Telling the log which guests have become a part of which account, so that their results do too.

A joining is written down in the transaction of the sign-in and crossed out once the log has it. Telling it twice, by
whichever copy, changes nothing.
"""

import asyncio
from contextlib import suppress

import msgspec
import structlog
from msgspec import Raw

from libs.core.calls import TRY_AGAIN, Do, Person
from libs.core.messages import PlayerId
from libs.runtime.bus import Unavailable
from libs.runtime.clock import Clock
from services.api.database import Connection, Database
from services.api.nats_link import NatsLink
from services.api.problems import Problem

EVERY = 5.0  # seconds from one look to the next, if nobody says that there is something new
PAGE = 100

log = structlog.get_logger()

_NOTE = "insert into joins (guest, account) values (%s, %s) on conflict do nothing"
_READ = "select guest, account from joins where guest > %s order by guest limit %s"
_TOLD = "delete from joins where guest = %s"


async def note(connection: Connection, guest: PlayerId, account: PlayerId) -> None:
    """Write down that a guest is a part of an account from now on; of itself, if it has become one."""
    await connection.execute(_NOTE, (guest, account))


class Joins:
    """Tells what is written down."""

    def __init__(self, database: Database, link: NatsLink, now: Clock) -> None:
        self._database = database
        self._link = link
        self._now = now
        self._new = asyncio.Event()

    def hurry(self) -> None:
        """There is something new: do not wait."""
        self._new.set()

    async def keep(self) -> None:
        """Tell, for ever; what cannot be told now is told later."""
        while True:
            self._new.clear()
            with suppress(Problem, Unavailable):
                await self._tell_all()
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._new.wait()

    async def _tell_all(self) -> None:
        """Tell everything, page by page. Raises `Problem` or `Unavailable`."""
        last = ""
        while rows := await self._database.rows(_READ, (last, PAGE)):
            for guest, account in rows:
                if await self._tell(guest, account):
                    async with self._database.connection() as connection:
                        await connection.execute(_TOLD, (guest,))
            last = rows[-1][0]

    async def _tell(self, guest: PlayerId, account: PlayerId) -> bool:
        """Tell the log of one joining; answers whether it has it now. Raises `Unavailable`."""
        answer = await self._link.ask(
            Do(
                game=account,
                by=Person(id=account),
                key=f"join:{guest}",
                received=self._now(),
                command=Raw(msgspec.json.encode({"type": "join", "guest": guest})),
                kind="person",
            )
        )
        if answer.refused == TRY_AGAIN:
            raise Unavailable
        if answer.refused is not None:
            log.error("a joining was refused", guest=guest, account=account, reason=answer.refused)
        return answer.refused is None
