"""Copies of the game service in this process, and players who ask them as the edge does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import nats.errors
from msgspec import Raw
from nats.aio.msg import Msg

from libs.core import calls, subjects
from libs.core.calendar import close_of
from libs.core.calls import Answer, Do, Person
from libs.runtime import bus, ids
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from libs.runtime.settings import Settings
from services.game.answer import Answerer
from services.game.copies import Copy
from services.game.handle import ATTEMPTS
from tests.until import until

DAY = datetime(2026, 1, 15, tzinfo=UTC)
NOON = DAY + timedelta(hours=17)
MIDNIGHT = close_of(DAY.date())


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Game:
    """One game of `ann` and `bob`, or of others, and how they ask about it.

    Every call goes to whichever copy hears it first: the copies are asked where any of them may answer.
    """

    def __init__(self, connection: Connection, clock: Clock, game: str = "") -> None:
        self.id = game or ids.new_id()
        self.ann, self.bob = f"ann-{self.id[-12:]}", f"bob-{self.id[-12:]}"
        self._connection = connection
        self._clock = clock

    async def call(self, call: calls.Call) -> Answer:
        async def asked() -> Msg | None:
            with suppress(nats.errors.NoRespondersError):  # servers of a cluster tell each other who listens
                return await self._connection.request(subjects.ASK_ANY, msgspec.json.encode(call), timeout=5)
            return None

        reply = await until(asked)
        return msgspec.json.decode(reply.data, type=Answer)  # type: ignore[union-attr]

    async def do(self, by: str | Person, key: str = "", kind: str | None = None, **command: Any) -> Answer:
        """Ask for a command; told to try again, do so with the same key, as every client does."""
        person = by if isinstance(by, Person) else Person(id=by)
        do = Do(
            game=self.id,
            by=person,
            key=key or ids.new_id(),
            received=self._clock(),
            command=Raw(msgspec.json.encode(command)),
            kind=kind,
        )
        for _ in range(ATTEMPTS):
            answer = await self.call(do)
            if answer.refused != calls.TRY_AGAIN:
                return answer
        return answer

    async def open(self, key: str = "", *, by: str = "", **chosen: str) -> Answer:
        command = {"type": "open", "game": self.id, "secret": "crepe", **chosen}
        return await self.do(by or self.ann, key, "duel", **command)

    async def guess(self, by: str | Person, word: str, key: str = "") -> Answer:
        return await self.do(by, key, type="guess", word=word)

    async def look(self, by: str, after: int | None = None) -> Answer:
        return await self.call(calls.Look(game=self.id, by=Person(id=by), after=after))

    async def wake(self, kind: str = "duel") -> Answer:
        return await self.call(calls.Wake(game=self.id, kind=kind))

    async def started(self) -> "Game":
        """Two rivals with their secrets: ann's for bob is crepe, bob's for ann is banal."""
        assert (await self.open(rival=self.bob)).refused is None
        assert (await self.do(self.bob, type="secret", secret="banal")).refused is None
        return self


def view(answer: Answer) -> Any:
    """The newest view of an answer."""
    assert answer.refused is None, answer.refused
    return msgspec.json.decode(answer.seen[-1].view)


@asynccontextmanager
async def copy(settings: Settings, clock: Clock) -> AsyncIterator[Answerer]:
    """One copy of the game service, without its projections."""
    connection = await bus.connect(settings, "game")
    async with answering(connection, Answerer(connection, clock, daily_key=settings.daily_key.encode())) as answerer:
        yield answerer


@asynccontextmanager
async def answering(connection: Connection, answerer: Answerer) -> AsyncIterator[Answerer]:
    """Let it answer as a copy does; afterwards the connection is closed."""
    place = Copy(connection, answerer.hear)
    await place.join()
    keeping = asyncio.create_task(place.keep())
    try:
        yield answerer
    finally:
        keeping.cancel()
        await place.leave()
        await answerer.finish(2)
        await connection.close()


async def commands(log: Log, game: str) -> list[str]:
    """The ids of all commands of a game in the log."""
    return [msgspec.json.decode(record.data)["id"] for record in await log.load(game)]
