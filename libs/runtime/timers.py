"""One timer a game, kept by the log's own server: it rings though we were down, and any copy hears it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from nats.js import JetStreamContext

from libs.core import subjects
from libs.runtime.connection import Connection
from libs.runtime.storing import Down, purge, store
from libs.runtime.streams import SECOND, ensure_consumer

KEPT = "24h"  # how long a timer that has rung waits for somebody to hear it

CONSUMER: dict[str, Any] = {
    "durable_name": "scheduler",
    "filter_subject": "due.>",
    "deliver_policy": "all",
    "ack_policy": "explicit",
    "ack_wait": 10 * SECOND,  # as long as a copy may take before another one gets the same timer
    "max_deliver": -1,
    "max_ack_pending": 1000,
}


async def set_timer(
    connection: Connection, kind: str, game_id: str, at: datetime, offset: timedelta = timedelta()
) -> None:
    """Let the game's timer ring at this instant, at once if it has passed; replaces the one that it has.

    `offset` is how far our clock runs ahead of the machine's, by which the server rings. Raises `Unknown` or `Down`;
    setting a timer again does no harm.
    """
    stored = await store(
        connection,
        subjects.timer(kind, game_id),
        b"",
        {
            "Nats-Schedule": f"@at {(at - offset).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}",
            "Nats-Schedule-Target": subjects.due(kind, game_id),
            "Nats-Schedule-TTL": KEPT,
        },
    )
    if stored.error:
        raise Down(stored.error.description)


async def cancel_timer(connection: Connection, kind: str, game_id: str) -> None:
    """Let the game's timer, if it has one, never ring. Raises `Unknown` or `Down`."""
    await purge(connection, subjects.TIMERS, subjects.timer(kind, game_id))


async def due_consumer(connection: Connection, *, create: bool = True) -> JetStreamContext.PullSubscription:
    """The timers that have rung: `fetch` them, and `ack` each when it is done; all copies share them.

    The game is in the message's subject (`subjects.game_of`). What nobody acks comes again. With `create`, the consumer
    is made or changed into what it must be. Raises `StreamsDiffer`.
    """
    await ensure_consumer(connection, subjects.TIMERS, CONSUMER, create=create)
    return await connection.jetstream().pull_subscribe_bind(CONSUMER["durable_name"], subjects.TIMERS)
