"""Any copy's work: when a timer has rung, let its game decide whether it is time."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.js import JetStreamContext

from libs.core import calls, subjects
from libs.core.messages import GameId
from libs.runtime import bus, telemetry
from libs.runtime.chat_store import ChatStore
from libs.runtime.clock import Clock
from libs.runtime.connection import Connection
from libs.runtime.ending import end
from libs.runtime.ids import between
from libs.runtime.metrics import TIMERS_RUNG, WAKE, WOKEN_TOGETHER
from libs.runtime.storing import Down, Unknown
from libs.runtime.streams import StreamsDiffer
from libs.runtime.timers import due_consumer
from services.scheduler.follow import Rest, Timers

AT_ONCE = 16  # more would not be stored sooner, and stand in the way of those who play
PULL = 0.5  # seconds that one question for timers stays open; the client hands the first on when the last has come
FEW = 8  # games that are woken one by one if they could not be with others
MANY = 20.0  # seconds that many games together may take
PAUSE = 1.0  # seconds before the consumer is looked for again

log = structlog.get_logger()


class Ringer:
    """Wakes games. Waking one twice, or too early, changes nothing: the game decides by its own deadlines."""

    def __init__(self, connection: Connection, timers: Timers, now: Clock) -> None:
        self._connection = connection
        self._timers = timers
        self._chats = ChatStore(connection)
        self._now = now

    async def wake(self, game: GameId, kind: str) -> bool:
        """Wake this game, set its next timer, clear its chat after midnight; answers whether all of it was done."""
        with telemetry.root("wake", game=game, kind=kind), WAKE.time():
            try:
                outcome = await self._wake(game, kind)
            except (bus.Unavailable, Unknown, Down):
                outcome = "not_now"
            except Exception:  # one game must not keep the others asleep
                log.exception("a game could not be woken", game=game, kind=kind)
                outcome = "failed"
        TIMERS_RUNG.labels(outcome).inc()
        return outcome == "done"

    async def wake_many(self, games: Sequence[GameId], kind: str) -> Sequence[GameId]:
        """Wake these games of one kind and partition together; answers with those for which it could not be done.

        Those few that do not go together are woken one by one. Chats are left to the games' own timers.
        """
        with telemetry.root("wake many", kind=kind, games=len(games)):
            try:
                call = calls.WakeMany(games=tuple(games), kind=kind)
                answer = await bus.ask(self._connection, call, MANY, MANY / 2)
            except bus.Unavailable:
                return games
        if answer.refused is not None:
            return games
        WOKEN_TOGETHER.inc(len(games) - len(answer.left))
        if len(answer.left) > max(FEW, len(games) // 2):  # it is not these games that hinder
            return answer.left
        return [game for game in answer.left if not await self.wake(game, kind)]

    async def _wake(self, game: GameId, kind: str) -> str:
        answer = await bus.ask(self._connection, calls.Wake(game=game, kind=kind))
        if answer.refused == calls.TRY_AGAIN:
            return "not_now"
        if answer.refused is not None:  # it will be refused again: nothing is left to be done
            log.error("a game would not be woken", game=game, kind=kind, reason=answer.refused)
            return "done"
        if answer.due is not None:
            if answer.due <= self._now():
                return "not_now"
            await self._timers.set(kind, game, answer.due)
        if answer.chat_until is not None and answer.chat_until <= self._now():
            await self._chats.purge(game)
        return "done"

    async def listen(self, stop: asyncio.Event, *, create: bool, rest: Rest | None = None) -> None:
        """Take timers that have rung, some at once, until told to stop; whatever fails comes again.

        With `rest` they wait for a sweep, which closes many games at the cost of one. Raises
        `nats.errors.ConnectionClosedError` when the connection is closed for good.
        """
        while not stop.is_set():
            try:
                consumer = await due_consumer(self._connection, create=create)
                await self._take(consumer, stop, rest)
            except (nats.errors.Error, StreamsDiffer) as error:
                if self._connection.is_closed:
                    raise nats.errors.ConnectionClosedError from error
                log.warning("no timers are heard", error=type(error).__name__)
                await asyncio.sleep(PAUSE)

    async def _take(self, consumer: JetStreamContext.PullSubscription, stop: asyncio.Event, rest: Rest | None) -> None:
        busy: set[asyncio.Task[None]] = set()
        try:
            while not stop.is_set():
                if rest is not None:
                    await rest()
                with suppress(TimeoutError):  # nothing came; the client raises its own kind or the plain one
                    for message in await consumer.fetch(AT_ONCE - len(busy), timeout=PULL):
                        task = asyncio.create_task(self._ring(message))
                        busy.add(task)
                        task.add_done_callback(busy.discard)
                while len(busy) >= AT_ONCE:  # a late answer to an earlier question may have brought more
                    await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(*busy)
            with suppress(nats.errors.Error):
                await consumer.unsubscribe()

    async def _ring(self, message: Msg) -> None:
        kind, game = subjects.game_of(message.subject)
        done = await self.wake(game, kind)
        with suppress(nats.errors.Error):  # lost with the connection: the timer comes again
            if done:
                await message.ack()
            else:
                await message.nak(between(1.0, 3.0))
