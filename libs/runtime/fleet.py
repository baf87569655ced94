"""A question to a fleet: whichever copy is free answers, and the death of one costs its askers a moment.

A copy answers with the bytes that were asked for, or with the error headers of a NATS micro service.
"""

import asyncio
from collections import deque

import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.micro.request import ERROR_CODE_HEADER

from libs.runtime import ids, telemetry
from libs.runtime.connection import Connection
from libs.runtime.metrics import SOLVER_AGAIN

BUDGET = 1.9  # seconds in all: the asker's own answer is due after two
SILENCE = 0.5  # seconds without an answer before more copies are asked
PAUSE = 0.05  # seconds before a copy is asked again when all that were asked have turned us away, halved by chance
BUSY, REFUSED = "503", "422"  # codes of a micro service's errors; a refusal says more in its body
TRIES = 2  # times to be told that a copy is busy, after which the whole fleet counts as busy


class Busy(Exception):
    """Nobody has taken the question within the budget, or everybody has too much to do."""


class NotTaken(Exception):
    """A copy has refused the question for good; holds its code and what it said."""

    def __init__(self, code: str, said: bytes) -> None:
        super().__init__(code)
        self.code = code
        self.said = said


class Fleet:
    """Asks over one connection. Every question is safe to repeat, so two copies may work on the same one."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._inbox = connection.new_inbox()
        self._open: dict[str, _Replies] = {}
        self._subscription: Subscription | None = None
        self._subscribing = asyncio.Lock()  # two subscriptions would bring every answer twice
        self._asked = 0

    async def ask(self, subject: str, question: bytes, budget: float = BUDGET) -> bytes:
        """The first answer of any copy, within `budget` seconds. Raises `Busy` and `NotTaken`."""
        self._asked += 1
        token = f"{self._asked:x}"
        replies = self._open[token] = _Replies()
        try:
            if self._subscription is None:
                await self._listen()
            return await self._answer(subject, question, f"{self._inbox}.{token}", replies, budget)
        except nats.errors.Error as error:
            raise Busy from error
        finally:
            del self._open[token]

    async def _answer(self, subject: str, question: bytes, inbox: str, replies: "_Replies", budget: float) -> bytes:
        now = asyncio.get_running_loop().time
        deadline = now() + budget
        headers: dict[str, str] = {}
        telemetry.inject(headers)
        waiting = busy = 0  # copies that may still answer, and that were busy
        asking = 1
        while (left := deadline - now()) > 0:
            for _ in range(asking):
                waiting += await self._send(subject, question, inbox, headers)
            until = now() + min(SILENCE, left)
            why = "nobody"
            while waiting and why != "silence":
                reply = await replies.get(until - now())
                why = "silence" if reply is None else _turned_away(reply)
                if reply is not None and not why:
                    return reply.data
                waiting -= why != "silence"
                busy += why == "busy"
            if busy >= TRIES and not waiting:
                raise Busy
            SOLVER_AGAIN.labels(why).inc()
            if why == "silence":
                asking *= 2  # NATS goes on giving its share to a copy that hangs: one at a time could all meet it
            if not waiting:
                await asyncio.sleep(ids.between(PAUSE / 2, PAUSE))
        raise Busy

    async def _send(self, subject: str, question: bytes, inbox: str, headers: dict[str, str]) -> bool:
        try:
            await self._connection.publish(subject, question, reply=inbox, headers=headers or None)
        except (nats.errors.OutboundBufferLimitError, nats.errors.ConnectionReconnectingError):
            return False  # the connection is being restored
        return True

    async def _listen(self) -> None:
        async with self._subscribing:
            if self._subscription is None:
                self._subscription = await self._connection.listen(f"{self._inbox}.*", self._take)

    def _take(self, message: Msg) -> None:
        if (replies := self._open.get(message.subject[len(self._inbox) + 1 :])) is not None:
            replies.put(message)


class _Replies:
    """What has come in reply to one question. (A queue with a time limit would cost as much as the whole request.)"""

    def __init__(self) -> None:
        self._heard: deque[Msg] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def put(self, message: Msg) -> None:
        """One more has come."""
        self._heard.append(message)
        if self._waiter is not None:
            _wake(self._waiter)

    async def get(self, seconds: float) -> Msg | None:
        """The next one; none if nothing comes within so many seconds."""
        if not self._heard:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            alarm = loop.call_later(seconds, _wake, self._waiter)
            try:
                await self._waiter
            finally:
                alarm.cancel()
        return self._heard.popleft() if self._heard else None


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


def _turned_away(reply: Msg) -> str:
    """Why a reply is no answer: busy or nobody; empty if it is one. Raises `NotTaken`."""
    if not reply.headers:
        return ""
    if "Status" in reply.headers:  # the server's own word: nobody listens
        return "nobody"
    code = reply.headers.get(ERROR_CODE_HEADER, "")
    if code not in ("", BUSY):
        raise NotTaken(code, reply.data)
    return "busy" if code else ""
