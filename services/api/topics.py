"""Subjects that sockets listen to: one NATS subscription each, however many listen."""

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
        self._listeners: dict[str, set[Listener]] = {}
        self._subscriptions: dict[str, Subscription] = {}

    async def join(self, subject: str, listener: Listener) -> None:
        """Call `listener` with every message from now on. Raises `Unavailable`."""
        listeners = self._listeners.setdefault(subject, set())
        listeners.add(listener)
        if len(listeners) > 1:
            return

        async def heard(message: Msg) -> None:
            for one in tuple(listeners):
                one(message)

        try:
            subscription = await self._link.connection.subscribe(subject, cb=heard)
        except (nats.errors.Error, Unavailable):
            del self._listeners[subject]
            raise Unavailable from None
        if self._listeners.get(subject) is listeners:
            self._subscriptions[subject] = subscription
        else:
            await _unsubscribe(subscription)

    async def leave(self, subject: str, listener: Listener) -> None:
        """Call it no more."""
        listeners = self._listeners.get(subject, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(subject, None)
            if subscription := self._subscriptions.pop(subject, None):
                await _unsubscribe(subscription)

    def forget(self) -> None:
        """The connection is another one: nobody listens any more."""
        self._listeners.clear()
        self._subscriptions.clear()


async def _unsubscribe(subscription: Subscription) -> None:
    with suppress(nats.errors.Error):  # the connection is lost, and the subscription with it
        await subscription.unsubscribe()
