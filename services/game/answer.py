"""Listens for calls, answers each, and shows what has changed to everybody who sits at the game."""

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

import msgspec
import nats.errors
import structlog
from nats.aio.msg import Msg

from libs.core import subjects
from libs.core.calls import TRY_AGAIN, Answer, Call, Do, Look, LookAtAudit, LookAtInvite, Wake, WakeMany
from libs.core.history import Newer, UnknownKind
from libs.core.refusals import Refused
from libs.runtime import bus, ids, telemetry
from libs.runtime.clock import Clock
from libs.runtime.connection import Connection
from libs.runtime.log import Damaged, Log, Unread
from libs.runtime.metrics import COMMANDS
from services.game import look
from services.game.asking import Question
from services.game.closing import Closer
from services.game.handle import Handler, Taken, TryAgain, stamp
from services.game.store import Store, Unreadable

log = structlog.get_logger()

AT_ONCE = 512
"""Calls in work; more wait."""

_encoder = msgspec.json.Encoder()
_counted = cache(COMMANDS.labels)


class Answerer:
    """One copy's answers."""

    def __init__(
        self,
        connection: Connection,
        now: Clock,
        store: Store | None = None,
        daily_key: bytes = b"",
        games: Log | None = None,
    ) -> None:
        """`daily_key`: without it no attempt at the Daily is begun, and no day told of. `games`: with an archive."""
        games = games or Log(connection)
        self._daily_key = daily_key
        self._connection = connection
        self.store = store or Store(games)
        self.handler = Handler(games, self.store)
        self._playing = 0  # calls in work that are not the clock's
        self.closer = Closer(games, self.store, self.handler, lambda: self._playing, daily_key)
        self._now = now
        self._waiting: deque[Msg] = deque()
        self._busy: set[asyncio.Task[None]] = set()

    def hear(self, message: Msg) -> None:
        """Begin to answer a message; it waits its turn only if there is too much to do."""
        if len(self._busy) >= AT_ONCE:
            self._waiting.append(message)
        else:
            self._begin(message)

    def _begin(self, message: Msg) -> None:
        task = asyncio.create_task(self._reply(message))
        self._busy.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._busy.discard(task)
        if self._waiting:
            self._begin(self._waiting.popleft())

    async def finish(self, within: float) -> None:
        """Wait until all that was begun is answered, this many seconds at most."""
        deadline = asyncio.get_running_loop().time() + within
        while self._busy and (left := deadline - asyncio.get_running_loop().time()) > 0:
            await asyncio.wait(self._busy, timeout=left)

    async def _reply(self, message: Msg) -> None:
        try:
            call = bus.question(message)
        except msgspec.DecodeError as error:  # a newer caller: a newer copy will understand it
            log.error("a call was not understood", detail=str(error))
            answer = Answer(refused=TRY_AGAIN, newer=True)
        else:
            with telemetry.part(type(call).__name__, message.headers, game=call.game):
                answer = await self.answer(call)
        await bus.reply(message, answer)

    async def answer(self, call: Call) -> Answer:
        """Answer a call; whatever goes wrong is an answer too."""
        try:
            if isinstance(call, WakeMany):
                left = await self.closer.wake(call.games, call.kind, self._now())
                return Answer(kind=call.kind, left=tuple(left))
            if isinstance(call, Wake):
                return await self._command(call)
            with self._counted_as_played():
                return await (self._command(call) if isinstance(call, Do) else self._look(call))
        except Refused as refused:
            return Answer(game=call.game, refused=refused.reason.value, facts=refused.facts or None)
        except (TryAgain, Unread):
            return Answer(game=call.game, refused=TRY_AGAIN)
        except (Newer, UnknownKind) as error:
            log.warning("a call for a newer release", game=call.game, detail=str(error))
            return Answer(game=call.game, refused=TRY_AGAIN, newer=True)
        except (Unreadable, Damaged) as error:
            log.error("a game cannot be read", game=call.game, detail=str(error))
        except Exception:
            log.exception("a call failed", game=call.game, call=type(call).__name__)
        return Answer(game=call.game, refused=TRY_AGAIN)

    @contextmanager
    def _counted_as_played(self) -> Iterator[None]:
        self._playing += 1
        try:
            yield
        finally:
            self._playing -= 1

    async def _look(self, call: Look | LookAtInvite | LookAtAudit) -> Answer:
        if isinstance(call, Look):
            return await look.look(self.store, call)
        if isinstance(call, LookAtInvite):
            return await look.look_at_invite(self.store, call, stamp(call.received, self._now()))
        return await look.look_at_audit(self.store, call)

    async def _command(self, call: Do | Wake) -> Answer:
        began, now = time.perf_counter(), self._now()
        question = Question(call, ids.seed(), self._daily_key)
        kind, outcome, version = call.kind or "", "failed", 0
        try:
            received, makes = (stamp(call.received, now), call.kind) if isinstance(call, Do) else (now, None)
            taken = await self.handler.take(call.game, makes, question, received)
            kind, outcome, version = taken.folded.game.kind, taken.outcome, taken.version
            return await self._tell(taken)
        except Refused as refused:
            outcome = refused.reason.value
            raise
        except TryAgain:
            outcome = TRY_AGAIN
            raise
        finally:
            _counted(kind, question.type, outcome).inc()
            log.info(
                "command",
                game=call.game,
                kind=kind,
                type=question.type,
                outcome=outcome,
                version=version,
                ms=round((time.perf_counter() - began) * 1000, 1),
            )

    async def _tell(self, taken: Taken) -> Answer:
        """Show every player a new version; answer the one who asked with the version that the command made."""
        folded, shown = taken.folded, {}
        if taken.outcome == "stored":
            for player in folded.standing.players:
                shown[player] = look.seen(folded, player)
                with suppress(nats.errors.Error):  # the log announces the record, and sockets ask for what they missed
                    subject = subjects.live(folded.id, player)
                    await self._connection.publish(subject, _encoder.encode(shown[player]))
        elif taken.player in folded.standing.players:
            then = (await self.store.versions(folded, taken.version))[0]
            shown[taken.player] = look.seen(then, taken.player)
        asker = [shown[taken.player]] if taken.player in shown else []
        return look.answer(folded, taken.player, asker)
