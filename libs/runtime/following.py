"""Following a stream from a position, in order and without a gap, through lost connections and lost consumers."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import msgspec
import nats.errors
import structlog
from nats.aio.subscription import Subscription

from libs.runtime.arriving import Arrived
from libs.runtime.connection import Connection
from libs.runtime.direct import Record
from libs.runtime.telemetry import TRACEPARENT

log = structlog.get_logger()

SECOND = 1_000_000_000  # nanoseconds, in which the server counts
PULL = 1.0  # seconds that one question for more stays open
GRACE = 0.5  # seconds by which the server may be late before we look for a new consumer
PAUSE = 0.1  # seconds between attempts to get a consumer
CHECKED = 2  # idle pulls after which the position is compared with the stream's end
SETTLING = 3.0  # seconds for a new leader to have read its own log before we believe that it is short


ENDS = ("404 No Messages", "408 Request Timeout")
"""How the server ends a pull: all there was has been sent; nothing came."""


class Rewound(RuntimeError):
    """The stream ends before the position: it is an older copy, and whoever follows it knows too much."""


class _Lost(Exception):
    """The consumer is gone or has skipped something; another one must go on from the position."""


async def follow(
    connection: Connection, stream: str, start: int, batch: int, pace: float = 0.0
) -> AsyncGenerator[list[Record], None]:
    """All records from the sequence `start` on, as lists of 1 to `batch`, for ever.

    Each record comes once and in order. What is stored while its reader has its hands full, or in a pause of `pace`
    seconds after the last there was, comes in one list, which is cheaper than a message each; else it comes at once.
    While the broker is away this waits. Raises `Rewound`, or `nats.errors.ConnectionClosedError` when the connection is
    closed for good.
    """
    position = start - 1
    lost = False
    while True:
        consumer = _Consumer(connection, stream, position, batch)
        try:
            await consumer.open()
            lost = False
            while True:
                if records := await consumer.fetch():
                    position = records[-1].sequence
                    yield records
                    if consumer.is_dry:
                        await asyncio.sleep(pace)
        except (_Lost, nats.errors.Error) as error:
            if connection.is_closed:
                raise nats.errors.ConnectionClosedError from error
            if not lost:  # one line an outage, not one a try
                log.info("follow.lost", stream=stream, position=position, why=str(error) or type(error).__name__)
            lost = True
            await asyncio.sleep(PAUSE)
        finally:
            await consumer.close()


async def last_sequence(connection: Connection, stream: str) -> int:
    """The number of the stream's newest message, 0 if it never had one. Raises `nats.errors.Error`."""
    reply = await connection.request(f"$JS.API.STREAM.INFO.{stream}", timeout=PULL + GRACE)
    found = msgspec.json.decode(reply.data)
    if "error" in found:
        raise nats.errors.Error(found["error"]["description"])
    return int(found["state"]["last_seq"])


class _Consumer:
    """A short-lived consumer in the server's memory that acknowledges nothing: the position is ours."""

    def __init__(self, connection: Connection, stream: str, position: int, batch: int) -> None:
        self._connection = connection
        self._stream = stream
        self._position = position
        self._batch = batch
        self._delivered = 0  # how many messages this consumer has sent us
        self._open = 0  # how many more the present pull may bring
        self.is_dry = False  # the last pull has brought all there was
        self._idle = 0  # pulls in a row that brought nothing
        self._arrived: deque[Arrived] = deque()
        self._bell = asyncio.Event()
        self._inbox = connection.new_inbox()
        self._subscription: Subscription | None = None
        self._name = ""

    async def open(self) -> None:
        """Create it at the position. Raises `_Lost`, `Rewound` or `nats.errors.Error`."""
        settled = time.monotonic() + SETTLING
        while (end := await last_sequence(self._connection, self._stream)) < self._position:
            if time.monotonic() > settled:
                raise Rewound(f"{self._stream} ends at {end}, before our position {self._position}")
            await asyncio.sleep(PAUSE)
        self._subscription = await self._connection.listen(self._inbox, self._take)
        config = {
            "deliver_policy": "by_start_sequence",
            "opt_start_seq": self._position + 1,
            "ack_policy": "none",
            "mem_storage": True,
            "num_replicas": 1,
            "inactive_threshold": 30 * SECOND,
        }
        body = msgspec.json.encode({"stream_name": self._stream, "config": config, "action": "create"})
        reply = await self._connection.request(f"$JS.API.CONSUMER.CREATE.{self._stream}", body, timeout=PULL + GRACE)
        made = msgspec.json.decode(reply.data)
        if "error" in made:
            raise _Lost(made["error"]["description"])
        self._name = made["name"]
        await self._pull()

    async def close(self) -> None:
        """Stop listening, and let the server forget the consumer; if it does not hear that, it forgets by itself."""
        if self._subscription is not None and not self._connection.is_closed:
            await self._subscription.unsubscribe()
        if self._name and self._connection.is_connected:
            await self._connection.publish(f"$JS.API.CONSUMER.DELETE.{self._stream}.{self._name}")

    async def fetch(self) -> list[Record]:
        """What has arrived, at most a batch; empty after an idle second. Raises `_Lost` or `nats.errors.Error`."""
        if self._open == 0:
            await self._pull()
        if not self._arrived:
            self._bell.clear()
            try:
                async with asyncio.timeout(PULL + GRACE):
                    await self._bell.wait()
            except TimeoutError:
                raise _Lost("silence") from None
        records: list[Record] = []
        while self._arrived and len(records) < self._batch:
            message = self._arrived[0]
            if message.reply:
                record = self._record(message)
                if record is None:
                    break  # what came before the gap is good
                records.append(record)
            elif (why := _end(message)) in ENDS:
                self._open, self.is_dry = 0, True
            elif records:
                break  # first hand on what came before
            else:
                raise _Lost(why)
            self._arrived.popleft()
        if not records and self._arrived:
            raise _Lost("a gap")
        if self._open == 0 and not self.is_dry:  # there is more: let it come while this is read
            await self._pull()
        self._idle = 0 if records else self._idle + 1
        if self._idle >= CHECKED:
            await self._compare()
        return records

    def _record(self, message: Arrived) -> Record | None:
        """The record in a message; none if the consumer has skipped something."""
        words = message.reply.split(".")
        sequence, delivered, stamp = words[5:8] if len(words) == 9 else words[7:10]
        if int(delivered) != self._delivered + 1:
            return None
        self._delivered += 1
        self._open -= 1
        self._position = int(sequence)
        at = datetime.fromtimestamp(int(stamp) / SECOND, UTC)
        trace = message.said(TRACEPARENT)
        return Record(sequence=self._position, subject=message.subject, data=message.data, at=at, trace=trace)

    async def _pull(self) -> None:
        """Ask for all that there is; if there is nothing, for the next."""
        self._open, self.is_dry = self._batch, False
        body = msgspec.json.encode({"batch": self._batch, "no_wait": True, "expires": int(PULL * SECOND)})
        question = f"$JS.API.CONSUMER.MSG.NEXT.{self._stream}.{self._name}"
        await self._connection.publish(question, body, reply=self._inbox)

    async def _compare(self) -> None:
        self._idle = 0
        if await last_sequence(self._connection, self._stream) > self._position and not self._arrived:
            raise _Lost("it has fallen behind in silence")

    def _take(self, message: Arrived) -> None:
        self._arrived.append(message)
        self._bell.set()


def _end(message: Arrived) -> str:
    """The server's word for why a pull is over."""
    headers = message.headers or {}
    return f"{headers.get('Status')} {headers.get('Description', '')}".strip()
