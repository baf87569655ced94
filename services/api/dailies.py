"""The days of the Daily as this copy knows them, and which attempt of a day is whose."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from hmac import digest

import msgspec
from msgspec.structs import replace

from libs.core.calls import TRY_AGAIN, Answer, Look, Person
from libs.core.daily import attempt_id, day_id
from libs.core.games.daily.view import DailyView, end_of
from libs.core.games.day.state import DayView
from libs.core.messages import GameId, PlayerId
from libs.core.refusals import Reason
from libs.runtime.bus import Unavailable
from services.api.accounts.sessions import Session
from services.api.database import Database
from services.api.names import Names
from services.api.nats_link import NatsLink
from services.api.problems import Problem, ReadsDown

DAYS = 1000  # that are remembered
ATTEMPTS = 100_000  # accounts' own, of which it is remembered that they were begun
PATIENCE = 0.3  # seconds that a guess waits for the guests that an account has been
NEWEST = 40
"""Of so many of these the game service is asked; of all others the tables know what they have begun."""

_ANYBODY = Person(id="")
_BEGUN = "select player from games.seats where game = any(%s::uuid[])"
_day = msgspec.json.Decoder(DayView)
_board = msgspec.json.Decoder(DailyView)


class Dailies:
    """What is asked of the game service again and again, and does not change."""

    def __init__(self, link: NatsLink, names: Names, database: Database, secret_key: str) -> None:
        self._link = link
        self._names = names
        self._database = database
        self._key = secret_key.encode()
        self._days: OrderedDict[date, DayView] = OrderedDict()
        self._begun: OrderedDict[GameId, None] = OrderedDict()

    def origin(self, address: str, day: date) -> str:
        """A network address as 16 hexadecimal digits that tell it from others on this day, and not from day to day."""
        return digest(self._key, f"daily origin\0{day}\0{address}".encode(), "sha256").hex()[:16]

    async def day(self, day: date, *, over: bool) -> DayView | None:
        """What is told of a day, with its word if it is `over`; none if nothing is told. Raises `Unavailable`."""
        known = self._days.get(day)
        if known is not None and (known.word or not over):
            return known
        answer = await self._look(day_id(day), _ANYBODY)
        if answer is None:
            return None
        self._days[day] = view = _day.decode(answer.seen[-1].view)
        if len(self._days) > DAYS:
            self._days.popitem(last=False)
        return view

    async def attempt(self, session: Session, day: date) -> GameId:
        """The id of this player's attempt of a day, begun or not.

        An account goes on with what one of its guests has begun, unless it has begun something itself: the other way
        round one could look at the word as a guest. Of several guests' the one counts that was finished first, so none
        of them is remembered: another guest may still join. Raises `Problem` or `Unavailable`.
        """
        own = attempt_id(session.player, day)
        if session.guest or own in self._begun:
            return own
        aliases = dict.fromkeys((*await self._names.aliases(session.player, PATIENCE), *session.aliases))
        if not aliases:
            return own
        if await self._look(own, session.person):
            self.note(own)
            return own
        players = [*aliases][:NEWEST] + await self._begun_by([*aliases][NEWEST:], day)
        found = await asyncio.gather(*(self._look_as(session, player, day) for player in players))
        begun = [_board.decode(answer.seen[-1].view) for answer in found if answer]
        return min(begun, key=lambda view: (end_of(view), view.id)).id if begun else own

    def note(self, own: GameId) -> None:
        """Remember that an account has begun an attempt of its own."""
        self._begun[own] = None
        if len(self._begun) > ATTEMPTS:
            self._begun.popitem(last=False)

    async def _begun_by(self, players: Sequence[PlayerId], day: date) -> list[PlayerId]:
        """Which of these have begun an attempt of the day, as far as the tables know and can be read now."""
        if players:
            with suppress(ReadsDown):
                games = [attempt_id(player, day) for player in players]
                return [player for (player,) in await self._database.rows(_BEGUN, (games,), PATIENCE)]
        return []

    async def _look_as(self, session: Session, alias: PlayerId, day: date) -> Answer | None:
        return await self._look(attempt_id(alias, day), replace(session.person, aliases=(alias,)))

    async def _look(self, game: GameId, person: Person) -> Answer | None:
        answer = await self._link.ask(Look(game=game, by=person))
        if answer.refused == Reason.UNKNOWN_GAME:
            return None
        if answer.refused == TRY_AGAIN:
            raise Unavailable
        if answer.refused is not None:
            raise Problem(answer.refused)
        return answer
