"""Reading many messages of a stream at once, from whichever server has them."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
import nats.errors
from msgspec import Struct
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from libs.runtime.connection import Connection

PAGE = 1000  # messages; the server sends no more than that at once
PATIENCE = 2.0  # seconds

EXPECTED = "Nats-Expected-Last-Subject-Sequence"
"""The condition of an append, which the server keeps with the record."""


class Record(Struct, frozen=True):
    """One message of a stream."""

    sequence: int  # its number in the stream, from 1
    subject: str
    data: bytes
    at: datetime  # UTC: when the server stored it; for looking at, never for rules
    trace: str = ""  # the `traceparent` of the request that it came from, if that was traced and this is followed
    after: int | None = None  # the sequence of the record before it in its game (0: none), if that was told

    @property
    def kind(self) -> str:
        """Of a game or a claim: the second word of the subject."""
        return self.subject.split(".", 2)[1]

    @property
    def game(self) -> str:
        """The last word of the subject: the game's id, or a claim's digest."""
        return self.subject.rpartition(".")[2]


def predecessor(headers: Mapping[str, str]) -> int | None:
    """What the headers of a record say about the one before it in its game."""
    said = headers.get(EXPECTED, "")
    return int(said) if said.isascii() and said.isdigit() else None


class Unread(Exception):
    """The stream could not be read: not connected, or no server answers."""


class _Page:
    """What has come of one page."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.ended: asyncio.Future[Mapping[str, str]] = asyncio.get_running_loop().create_future()


class DirectReader:
    """Reads the messages of a stream, asking any server that holds it: a follower may lag behind the last write."""

    def __init__(self, connection: Connection, stream: str) -> None:
        self._connection = connection
        self._subject = f"$JS.API.DIRECT.GET.{stream}"
        self._inbox = connection.new_inbox()
        self._pages: dict[str, _Page] = {}
        self._subscription: Subscription | None = None
        self._subscribing = asyncio.Lock()  # two subscriptions would bring every message twice
        self._asked = 0

    async def read(self, subject: str, start: int = 1) -> list[Record]:
        """All messages from this sequence on whose subject matches, in order. Raises `Unread`."""
        records: list[Record] = []
        while True:
            page, more = await self._page(subject, start)
            records += page
            if not more or not page:
                return records
            start = page[-1].sequence + 1

    async def newest(self, subjects: Sequence[str]) -> list[Record]:
        """The newest message of each of these subjects, 1000 at most, that has one. Raises `Unread`."""
        records, _ = await self._ask({"batch": PAGE, "multi_last": subjects})
        return records

    async def _page(self, subject: str, start: int) -> tuple[list[Record], bool]:
        return await self._ask({"batch": PAGE, "seq": start, "next_by_subj": subject})

    async def _ask(self, which: dict[str, Any]) -> tuple[list[Record], bool]:
        """What the server sends of these, and whether there is more."""
        self._asked += 1
        token = str(self._asked)
        page = self._pages[token] = _Page()
        body = msgspec.json.encode(which)
        try:
            await self._listen()
            await self._connection.publish(self._subject, body, reply=f"{self._inbox}.{token}")
            async with asyncio.timeout(PATIENCE):
                last = await page.ended
        except (nats.errors.Error, TimeoutError) as error:
            raise Unread from error
        finally:
            del self._pages[token]
        status = last.get("Status")
        if status not in ("204", "404"):
            raise Unread(f"{status} {last.get('Description', '')}")
        return page.records, int(last.get("Nats-Num-Pending", "0")) > 0

    async def _listen(self) -> None:
        async with self._subscribing:
            if self._subscription is None:
                self._subscription = await self._connection.listen(f"{self._inbox}.*", self._take)

    def _take(self, message: Msg) -> None:
        page = self._pages.get(message.subject.rpartition(".")[2])
        headers = message.headers or {}
        if page is None or page.ended.done():
            return
        if "Status" in headers:
            page.ended.set_result(headers)
        else:
            page.records.append(
                Record(
                    sequence=int(headers["Nats-Sequence"]),
                    subject=headers["Nats-Subject"],
                    data=message.data,
                    at=datetime.fromisoformat(headers["Nats-Time-Stamp"]),
                    after=predecessor(headers),
                )
            )
