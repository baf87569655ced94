"""Subjects that sockets listen to: one NATS subscription each, however many listen."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from libs.runtime.bus import Unavailable
from services.api.nats_link import NatsLink

Listener: TypeAlias = Callable[[Msg], None]


class Topics:
    """Who listens to what."""

    def __init__(self, link: NatsLink) -> None:
        self._link = link
        self._topics: dict[str, _Topic] = {}

    async def join(self, subject: str, listener: Listener) -> None:
        """Call `listener` with every message from now on. Raises `Unavailable`."""
        topic = self._topics.get(subject)
        if topic is None:
            topic = self._topics[subject] = _Topic()
            topic.subscribing = asyncio.ensure_future(self._subscribe(subject, topic))
        topic.listeners.add(listener)
        try:
            await asyncio.shield(topic.subscribing)
        except (nats.errors.Error, Unavailable):
            if self._topics.get(subject) is topic:
                del self._topics[subject]
            raise Unavailable from None

    async def leave(self, subject: str, listener: Listener) -> None:
        """Call it no more."""
        topic = self._topics.get(subject)
        if topic is None:
            return
        topic.listeners.discard(listener)
        if not topic.listeners:
            del self._topics[subject]
            with suppress(nats.errors.Error, Unavailable):  # the connection is lost, and the subscription with it
                await (await asyncio.shield(topic.subscribing)).unsubscribe()

    def forget(self) -> None:
        """The connection is another one: nobody listens any more."""
        self._topics.clear()

    async def _subscribe(self, subject: str, topic: "_Topic") -> Subscription:
        def heard(message: Msg) -> None:
            for one in tuple(topic.listeners):
                one(message)

        return await self._link.connection.listen(subject, heard)


class _Topic:
    """A subject's listeners, and the one subscription for all of them: under way, made or failed."""

    subscribing: asyncio.Future[Subscription]

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
