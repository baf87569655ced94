"""A question to a fleet: whichever copy is free answers, and the death of one costs its askers a moment.

A copy answers with the bytes that were asked for, or with the error headers of a NATS micro service.
"""

import asyncio
from typing import TypeAlias

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.micro.request import ERROR_CODE_HEADER

from libs.runtime import ids, telemetry
from libs.runtime.metrics import SOLVER_AGAIN

BUDGET = 1.9  # seconds in all: the asker's own answer is due after two
SILENCE = 0.5  # seconds without an answer before one more copy is asked
PAUSE = 0.05  # seconds before a copy is asked again when all that were asked have turned us away, halved by chance
BUSY, REFUSED = "503", "422"  # codes of a micro service's errors; a refusal says more in its body
TRIES = 2  # times to be told that a copy is busy, after which the whole fleet counts as busy

Replies: TypeAlias = asyncio.Queue[Msg]


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

    def __init__(self, connection: Client) -> None:
        self._connection = connection
        self._inbox = connection.new_inbox()
        self._open: dict[str, Replies] = {}
        self._subscription: Subscription | None = None
        self._subscribing = asyncio.Lock()  # two subscriptions would bring every answer twice
        self._asked = 0

    async def ask(self, subject: str, question: bytes, budget: float = BUDGET) -> bytes:
        """The first answer of any copy, within `budget` seconds. Raises `Busy` and `NotTaken`."""
        self._asked += 1
        token = str(self._asked)
        replies = self._open[token] = asyncio.Queue()
        try:
            async with asyncio.timeout(budget):
                await self._listen()
                return await self._answer(subject, question, f"{self._inbox}.{token}", replies)
        except (TimeoutError, nats.errors.Error) as error:
            raise Busy from error
        finally:
            del self._open[token]

    async def _answer(self, subject: str, question: bytes, inbox: str, replies: Replies) -> bytes:
        headers: dict[str, str] = {}
        telemetry.inject(headers)
        asked = busy = 0
        while True:
            if await self._send(subject, question, inbox, headers):
                asked += 1
            try:
                async with asyncio.timeout(SILENCE):
                    while asked:
                        reply = await replies.get()
                        why = _turned_away(reply)
                        if why is None:
                            return reply.data
                        asked -= 1
                        busy += why == "busy"
            except TimeoutError:
                SOLVER_AGAIN.labels("silence").inc()
                continue
            if busy >= TRIES:
                raise Busy
            SOLVER_AGAIN.labels("busy" if busy else "nobody").inc()
            await asyncio.sleep(ids.between(PAUSE / 2, PAUSE))

    async def _send(self, subject: str, question: bytes, inbox: str, headers: dict[str, str]) -> bool:
        try:
            await self._connection.publish(subject, question, reply=inbox, headers=headers or None)
        except (nats.errors.OutboundBufferLimitError, nats.errors.ConnectionReconnectingError):
            return False  # the connection is being restored
        return True

    async def _listen(self) -> None:
        if self._subscription is not None:
            return
        async with self._subscribing:
            if self._subscription is None:
                self._subscription = await self._connection.subscribe(f"{self._inbox}.*", cb=self._take)

    async def _take(self, message: Msg) -> None:
        if (replies := self._open.get(message.subject.rpartition(".")[2])) is not None:
            replies.put_nowait(message)


def _turned_away(reply: Msg) -> str | None:
    """Why a reply is no answer: busy or nobody; none if it is one. Raises `NotTaken`."""
    headers = reply.headers
    if headers is None:
        return None
    if "Status" in headers:  # the server's own word: nobody listens
        return "nobody"
    code = headers.get(ERROR_CODE_HEADER)
    if code is None:
        return None
    if code == BUSY:
        return "busy"
    raise NotTaken(code, reply.data)
