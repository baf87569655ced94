"""Storing one message in a stream, and purging: what the server answers, and what its silence means."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import msgspec
import nats.errors
from msgspec import Struct

from libs.runtime import ids
from libs.runtime.connection import Connection

PATIENCE = 1.5  # seconds for an answer; then the outcome is unknown
LEADERLESS = 0.5  # seconds for a stream to find a new leader before we give up
PAUSE = 0.05  # seconds between attempts meanwhile


class Unknown(Exception):
    """No answer came: the message may or may not be stored, now or in a moment. Asking again settles it."""


class Down(Exception):
    """The stream takes nothing at the moment, and nothing was stored."""


class Failure(Struct):
    """Why the server did not store a message; nothing of it was stored."""

    code: int
    err_code: int = 0
    description: str = ""


class Stored(Struct):
    """The server's answer."""

    seq: int = 0
    duplicate: bool = False  # an earlier message had the same id; `seq` is that one's
    error: Failure | None = None


_stored = msgspec.json.Decoder(Stored)


async def store(
    connection: Connection,
    subject: str,
    data: bytes,
    headers: dict[str, str] | None = None,
    before: Callable[[], Awaitable[dict[str, str]]] | None = None,
) -> Stored:
    """Store one message; answers with what the server said of it, good or bad.

    `before` is called ahead of each attempt and answers with further headers. Raises `Unknown` or `Down`.
    """
    deadline = time.monotonic() + LEADERLESS
    while True:
        try:
            if before is not None:
                headers = (headers or {}) | await before()
            reply = await connection.request(subject, data, timeout=PATIENCE, headers=headers)
            return _stored.decode(reply.data)
        except nats.errors.NoRespondersError:
            if time.monotonic() > deadline:
                raise Down("the stream has no leader") from None
            await asyncio.sleep(ids.between(PAUSE / 2, PAUSE))
        except nats.errors.TimeoutError:
            raise Unknown from None
        except (
            nats.errors.OutboundBufferLimitError,
            nats.errors.ConnectionClosedError,
            nats.errors.ConnectionDrainingError,
        ):
            raise Down("not connected") from None


NOT_THERE = 10043
"""The server's word for a message that is no longer in the stream."""


async def remove(connection: Connection, stream: str, sequence: int) -> None:
    """Remove one message and overwrite it. Raises `Unknown` or `Down`; doing it again does no harm."""
    body = msgspec.json.encode({"seq": sequence})
    stored = await store(connection, f"$JS.API.STREAM.MSG.DELETE.{stream}", body)
    if stored.error and stored.error.err_code != NOT_THERE:
        raise Down(stored.error.description)


async def purge(connection: Connection, stream: str, subject: str, last: int | None = None) -> None:
    """Remove all messages of a subject, or those up to the sequence `last`, at one stroke.

    Raises `Unknown` or `Down`; doing it again does no harm.
    """
    body = msgspec.json.encode({"filter": subject} if last is None else {"filter": subject, "seq": last + 1})
    stored = await store(connection, f"$JS.API.STREAM.PURGE.{stream}", body)
    if stored.error:
        raise Down(stored.error.description)
