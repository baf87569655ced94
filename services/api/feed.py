"""One open socket: it is sent every version of its game once and in order, and what is said in the chat."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeAlias

import msgspec
import structlog
from nats.aio.msg import Msg

from libs.core.calls import Answer, Seen
from libs.core.decoding import reader
from libs.core.messages import GameId
from libs.runtime.bus import Unavailable
from libs.runtime.clock import Clock
from services.api import said
from services.api.names import Names
from services.api.order import Order
from services.api.problems import Problem

log = structlog.get_logger()

LATE = 0.15  # seconds after a notice in which its view should have come by itself
BROKEN = 1011  # the close code of an unexpected condition
CLEARED = b'{"type":"chat_cleared"}'

SendText: TypeAlias = Callable[[str], Awaitable[None]]
Close: TypeAlias = Callable[[int], Awaitable[None]]
LookAfter: TypeAlias = Callable[[int | None], Awaitable[Answer]]

_seen = reader(Seen)
_encoder = msgspec.json.Encoder()


class Feed:
    """What goes out to one player of one game. Idle, it is only memory: no task and no timer of its own."""

    def __init__(self, game: GameId, after: int | None, look: LookAfter, names: Names, now: Clock) -> None:
        self.game = game
        self._order = Order(after)
        self._look = look
        self._names = names
        self._now = now
        self._send: SendText | None = None
        self._close: Close | None = None
        self._out: deque[Seen | said.Said | bytes] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._pumping = False
        self._late: asyncio.TimerHandle | None = None
        self._clearing: asyncio.TimerHandle | None = None
        self._chatted: deque[str] = deque(maxlen=32)

    async def begin(self) -> None:
        """Look for the first time. Raises `Problem` or `Unavailable`."""
        self._take(await self._look(self._order.sent))

    def start(self, send: SendText, close: Close) -> None:
        """From now on send by this function, which raises when the other end is gone; `close` hangs up."""
        self._send, self._close = send, close
        self._pump()

    def stop(self) -> None:
        """Send nothing more."""
        self._send = None
        for timer in (self._late, self._clearing):
            if timer is not None:
                timer.cancel()
        for task in self._tasks:
            task.cancel()

    def published(self, message: Msg) -> None:
        """A view of this player was published."""
        try:
            seen = _seen(message.data)
        except msgspec.DecodeError:  # of another release; looking at the game brings what is missing
            log.warning("view not understood", game=self.game)
            self.check()
            return
        self._out += self._order.published(seen)
        self._pump()
        self._watch()

    def noticed(self, message: Msg) -> None:
        """The log has a new record of this game."""
        self._order.noticed(int((message.headers or {}).get("Nats-Sequence", 0)))
        self._watch()

    def heard(self, message: Msg) -> None:
        """Something was said in the chat."""
        try:
            one = said.decode(message.data)
        except msgspec.DecodeError:
            log.warning("chat message not understood", game=self.game)
            return
        if one.id not in self._chatted:
            self._chatted.append(one.id)
            self._out.append(one)
            self._clear_at(one.until)
            self._pump()

    def check(self) -> None:
        """Look whether anything was missed."""
        self._begin(self._catch_up())

    def _take(self, answer: Answer) -> None:
        self._out += self._order.looked(answer)
        self._clear_at(answer.chat_until)

    def _watch(self) -> None:
        if self._order.unseen and self._send is not None:  # it was not begun when the socket was opened
            self.check()
        if self._order.behind and self._late is None and self._send is not None:
            self._late = asyncio.get_running_loop().call_later(LATE, self._check_late)

    def _check_late(self) -> None:
        self._late = None
        if self._order.behind:
            self.check()

    async def _catch_up(self) -> None:
        try:
            self._take(await self._look(self._order.sent))
        except (Problem, Unavailable) as error:  # the next notice, or the next round, brings us here again
            log.debug("live view not looked up", game=self.game, error=type(error).__name__)
        self._pump()

    def _clear_at(self, until: datetime | None) -> None:
        if until is None or self._clearing is not None:
            return
        left = (until - self._now()).total_seconds()
        if left > 0:
            self._clearing = asyncio.get_running_loop().call_later(left, self._clear)

    def _clear(self) -> None:
        self._out.append(CLEARED)
        self._pump()

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _pump(self) -> None:
        if self._out and self._send is not None and not self._pumping:
            self._pumping = True
            self._begin(self._send_all())

    async def _send_all(self) -> None:
        try:
            while self._out and self._send is not None:
                frame = await self._framed(self._out.popleft())
                if frame is None:
                    return
                await self._send(frame.decode())
        except Exception as error:  # whatever the server raises when the other end is gone
            log.debug("live view not sent", game=self.game, error=type(error).__name__)
            self._send = None
        finally:
            self._pumping = False

    async def _framed(self, thing: Seen | said.Said | bytes) -> bytes | None:
        """The frame; none if it cannot be built, and then the socket is closed: its player comes back and looks."""
        try:
            return await self._frame(thing)
        except Exception:
            log.exception("live view not built", game=self.game)
            self._send = None
            if self._close is not None:
                await self._close(BROKEN)
            return None

    async def _frame(self, thing: Seen | said.Said | bytes) -> bytes:
        if isinstance(thing, Seen):
            view = await self._names.fill(bytes(thing.view))
            return b'{"type":"view","version":%d,"view":%b}' % (thing.version, view)
        if isinstance(thing, said.Said):
            [message] = await said.shown(self._names, [thing])
            return _encoder.encode({"type": "chat", "message": message})
        return thing
