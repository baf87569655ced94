"""Attempts at the Daily, as the edge asks for them."""

from datetime import date, datetime
from typing import Any

import msgspec
from msgspec import Raw

from libs.core import calls
from libs.core.calls import Answer, Do, Person
from libs.core.daily import attempt_id, day_id
from libs.runtime import ids
from libs.runtime.clock import Clock
from libs.runtime.connection import Connection
from libs.runtime.log import Log
from tests.services.copies import Game, view


class Attempt(Game):
    """One player's attempt of one day; `guess` makes it."""

    def __init__(self, connection: Connection, clock: Clock, day: date, person: Person | None = None) -> None:
        self.person = person or Person(id=ids.new_id())
        self.day = day
        super().__init__(connection, clock, attempt_id(self.person.id, day))  # type: ignore[arg-type]

    async def play(
        self, word: str, key: str = "", *, day: date | None = None, received: datetime | None = None
    ) -> Answer:
        """Guess, received now unless told; the guess names its day."""
        command = {"type": "guess", "word": word, "day": day or self.day}
        return await self.call(
            Do(
                game=self.id,
                by=self.person,
                key=key or ids.new_id(),
                received=received or self._clock(),
                command=Raw(msgspec.json.encode(command)),
                kind="daily",
            )
        )

    async def seen(self) -> Any:
        return view(await self.look(self.person.id))


async def told(connection: Connection, clock: Clock, day: date) -> Any:
    """What anybody sees of a day; none if nothing was told of it."""
    call = calls.Look(game=day_id(day), by=Person(id="anybody"))
    answer = await Game(connection, clock, day_id(day)).call(call)  # type: ignore[arg-type]
    return None if answer.refused == "unknown_game" else view(answer)


async def events(log: Log, game: str) -> list[dict[str, Any]]:
    """All events of a game in the log."""
    return [event for record in await log.load(game) for event in msgspec.json.decode(record.data)["events"]]
