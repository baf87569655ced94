"""The client's connection to NATS, with messages and requests that cost half as much as the library's own."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.subscription import Subscription

from libs.runtime.arriving import Arrived, LeanParser

NO_RESPONDERS = "503"

log = structlog.get_logger()

Ear: TypeAlias = Callable[[Arrived], None]
"""Takes a message as soon as it is read; must not wait for anything."""


class Connection(Client):
    """What the library gives, but lean where every command passes.

    A request makes no random name and no timer task: it counts, and sets an alarm. What an ear hears passes no queue
    and wakes no task. Headers are written and read without the library's care for strange ones: all are our own.
    `encrypted`: a server that does not offer encryption is told nothing, not even a password.
    """

    def __init__(self, *, encrypted: bool = False) -> None:
        super().__init__()
        self._encrypted = encrypted
        self._ps = LeanParser(self)
        self._waiting: dict[str, asyncio.Future[Arrived]] = {}
        self._ears: dict[int, Ear] = {}
        self._asked = 0
        self._replies = ""

    async def connect(self, *arguments: Any, **options: Any) -> None:
        """Connect as the library does, and listen for replies."""
        await super().connect(*arguments, **options)
        self._replies = self.new_inbox()
        await self.listen(f"{self._replies}.*", self._hear)

    async def listen(self, subject: str, ear: Ear, group: str = "") -> Subscription:
        """Subscribe as `subscribe` does, with an ear in place of a coroutine."""
        number = self._sid + 1  # the next subscription's: nobody comes between
        self._ears[number] = ear
        try:
            return await self.subscribe(subject, group)
        except BaseException:
            self._ears.pop(number, None)
            raise

    async def publish(
        self, subject: str, payload: bytes = b"", reply: str = "", headers: dict[str, Any] | None = None
    ) -> None:
        """Send a message. Raises what the library's own `publish` raises."""
        if not self.is_connected or len(payload) > self._max_payload:
            await super().publish(subject, payload, reply, headers)
            return
        if headers:
            lines = [name + ": " + value for name, value in headers.items()]  # a name may be a member of an enumeration
            head = "\r\n".join(["NATS/1.0", *lines, "\r\n"]).encode()
            sizes = f"{len(head)} {len(head) + len(payload)}"
            command = b"HPUB %s %s %s\r\n%s%s\r\n" % (subject.encode(), reply.encode(), sizes.encode(), head, payload)
        else:
            command = b"PUB %s %s %d\r\n%s\r\n" % (subject.encode(), reply.encode(), len(payload), payload)
        self.stats["out_msgs"] += 1
        self.stats["out_bytes"] += len(payload)
        await self._send_command(command)
        if self._flush_queue is not None and self._flush_queue.empty():
            await self._flush_pending()

    async def request(
        self,
        subject: str,
        payload: bytes = b"",
        timeout: float = 0.5,  # noqa: ASYNC109 - the library's own signature
        old_style: bool = False,
        headers: dict[str, Any] | None = None,
    ) -> Arrived:
        """The first reply within `timeout` seconds; `old_style` changes nothing.

        Raises `NoRespondersError`, `TimeoutError` (both of `nats.errors`), and what `publish` raises.
        """
        self._asked += 1
        token = f"{self._asked:x}"
        loop = asyncio.get_running_loop()
        reply = self._waiting[token] = loop.create_future()
        alarm = loop.call_later(timeout, _give_up, reply)
        try:
            await self.publish(subject, payload, f"{self._replies}.{token}", headers)
            message: Arrived = await reply
        finally:
            alarm.cancel()
            del self._waiting[token]
        if not message.data and (message.headers or {}).get("Status") == NO_RESPONDERS:
            raise nats.errors.NoRespondersError
        return message

    def _hear(self, message: Arrived) -> None:
        reply = self._waiting.get(message.subject[len(self._replies) + 1 :])
        if reply is not None and not reply.done():
            reply.set_result(message)

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        if (ear := self._ears.get(sid)) is None:
            await super()._process_msg(sid, subject, reply, data, headers)
            return
        self.stats["in_msgs"] += 1
        self.stats["in_bytes"] += len(data)
        message = Arrived(self, subject.decode(), reply.decode(), data, headers)
        try:
            ear(message)
        except Exception:  # one bad message must not end the reading of all others
            log.exception("a message was not taken", subject=message.subject)

    async def _process_info(self, info: dict[str, Any], initial_connection: bool = False) -> None:
        """What a server says of itself, before anything is said to it: what it asks for is not what we insist on."""
        if initial_connection and self._encrypted and not info.get("tls_required"):
            raise nats.errors.Error("the server does not speak TLS")
        await super()._process_info(info, initial_connection)

    def _remove_sub(self, sid: int, max_msgs: int = 0) -> None:
        self._ears.pop(sid, None)
        super()._remove_sub(sid, max_msgs)


def _give_up(reply: asyncio.Future[Arrived]) -> None:
    if not reply.done():
        reply.set_exception(nats.errors.TimeoutError())
