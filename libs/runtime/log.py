"""The log of all games: how it is read, and the only place that writes to it."""

import asyncio
from base64 import b64decode
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec
import nats.errors
from msgspec import Struct

from libs.core import subjects
from libs.runtime import following, ids, telemetry
from libs.runtime.archive_row import Damaged, OnDamage, refuse
from libs.runtime.arriving import read_headers
from libs.runtime.connection import Connection
from libs.runtime.direct import DirectReader, Record, Unread, predecessor
from libs.runtime.following import Rewound
from libs.runtime.storing import Down, Unknown, store
from libs.runtime.streams import StreamsDiffer, ensure_streams
from libs.runtime.tape import Tape

__all__ = [
    "Conflict",
    "Damaged",
    "Down",
    "Log",
    "Next",
    "Record",
    "Rewound",
    "StreamsDiffer",
    "Unknown",
    "Unread",
    "ensure_streams",
]

PATIENCE = 1.5  # seconds for an answer of the leader

OVERTAKEN = frozenset({10071, 10164, 10163, 10158, 10201})
"""The server's words for "somebody else was first": wrong last sequence (with a number, without, among many at once),
the same message id under way, the same message id in a batch."""

NO_MESSAGE = 10037

TURN = 32  # parts of a batch that are sent before others in this process have a turn


class Conflict(Exception):
    """The game or one of the claims has moved on, perhaps by this very command: read both again. Nothing was stored."""


class Next(Struct, frozen=True):
    """The next record of a game, after its record with the sequence `after`; `message_id` names the command."""

    subject: str
    data: bytes
    after: int
    message_id: str


_Part: TypeAlias = tuple[str, bytes, dict[str, str]]
"""Subject, data and headers of a record in a batch."""

_FIRST = {"Nats-Expected-Last-Subject-Sequence": "0"}


def _headers(subject: str, after: int, message_id: str) -> dict[str, str]:
    return {
        "Nats-Expected-Last-Subject-Sequence": str(after),
        "Nats-Msg-Id": sha256(f"{subject} {message_id}".encode()).hexdigest()[:32],
    }


class Log:
    """The log over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._direct = DirectReader(connection, subjects.GAMES)
        self._tape = Tape(connection, subjects.GAMES)

    async def load(self, game_id: str, kind: str = "*", after: int = 0) -> list[Record]:
        """All records of a game after this sequence, in order and up to this moment; none for an unknown game.

        Raises `Unread`.
        """
        # Any server of a cluster hands out many records at once but may lag; the leader knows the newest, one at a
        # time. It also tells the kind: reading by a pattern would search the whole stream.
        newest = await self._from_leader({"last_by_subj": subjects.game(kind, game_id)})
        if newest is None or newest.sequence <= after:
            return []
        records = await self._direct.read(newest.subject, after + 1)
        while (last := records[-1].sequence if records else after) < newest.sequence:
            missing = await self._from_leader({"seq": last + 1, "next_by_subj": newest.subject})
            if missing is None:
                raise Unread("the leader has lost its newest record")
            records.append(missing)
        return records

    async def claim(self, subject: str) -> bytes | None:
        """The record of a claim, by its `subjects.claim`; none if nobody has it. Never stale. Raises `Unread`."""
        record = await self._from_leader({"last_by_subj": subject})
        return None if record is None else record.data

    async def append(
        self, subject: str, data: bytes, after: int, message_id: str, claims: Sequence[tuple[str, bytes]] = ()
    ) -> int:
        """Store a record of a game as the next after the sequence `after` (0: as its first); answers with its sequence.

        `claims` are subjects and records that are stored with it, all or nothing, each as the first and only one of
        its subject. `message_id` names the command. Raises `Conflict`, `Unknown` or `Down`.
        """
        headers = _headers(subject, after, message_id)
        telemetry.inject(headers)
        before = [(subject, data, _FIRST) for subject, data in claims]
        return await self._store(subject, data, headers, before)

    async def append_all(self, records: Sequence[Next]) -> Sequence[int]:
        """Store a record each of 1 to 1000 games, all or nothing; answers with their sequences.

        It costs the server one sync for all of them. Raises `Conflict` if one of the games has moved on, `Unknown` or
        `Down`.
        """
        batch = [(one.subject, one.data, _headers(one.subject, one.after, one.message_id)) for one in records]
        *before, (subject, data, headers) = batch
        last = await self._store(subject, data, headers, before)
        return range(last - len(records) + 1, last + 1)

    async def newest(self, subjects: Sequence[str]) -> dict[str, int]:
        """The sequence of each subject's newest record, of 1000 at most; in a cluster perhaps not the newest.

        Raises `Unread`.
        """
        return {record.subject: record.sequence for record in await self._direct.newest(subjects)}

    def follow(self, start: int = 1, batch: int = 500, pace: float = 0.0) -> AsyncGenerator[list[Record], None]:
        """All records, claims included, from the sequence `start` on, as lists of 1 to `batch`, for ever.

        Each comes once and in order, as soon as it is stored or `pace` seconds later; while the broker is away this
        waits. Raises `Rewound`.
        """
        return following.follow(self._connection, subjects.GAMES, start, batch, pace)

    def follow_together(self, start: int, batch: int = 500) -> AsyncGenerator[list[Record], None]:
        """The same for several followers in this process: the newest records are received once for all of them."""
        return self._tape.follow(start, batch)

    async def whole(
        self, start: int, end: int, batch: int = 500, damaged: OnDamage = refuse
    ) -> AsyncGenerator[list[Record], None]:
        """The same up to the sequence `end`, which was the newest at some time; a log without archive has no `damaged`.

        Raises `Unread` or `Rewound`.
        """
        async with aclosing(self.follow(start, batch)) as arriving:
            async for records in arriving:
                if wanted := [record for record in records if record.sequence <= end]:
                    yield wanted
                if records[-1].sequence >= end:
                    return

    async def newest_archived(self) -> int:
        """The highest sequence in the archive; 0 if there is none. Raises `Unread`."""
        return 0

    async def last_sequence(self) -> int:
        """The sequence of the newest record, 0 if there is none. Raises `Unread`."""
        try:
            return await following.last_sequence(self._connection, subjects.GAMES)
        except nats.errors.Error as error:
            raise Unread from error

    async def _store(self, subject: str, data: bytes, headers: dict[str, str], before: Sequence[_Part]) -> int:
        """Store a record, and those `before` it in one batch with it. Raises `Conflict`, `Unknown` or `Down`."""
        stored = await store(
            self._connection, subject, data, headers, (lambda: self._stage(before)) if before else None
        )
        if stored.duplicate or (stored.error and stored.error.err_code in OVERTAKEN):
            raise Conflict  # a duplicate too: what is stored under this id may be older than what we know
        if stored.error:
            raise Down(f"{stored.error.err_code} {stored.error.description}")
        return stored.seq

    async def _stage(self, parts: Sequence[_Part]) -> dict[str, str]:
        """Send these as the beginning of a batch; answers with the headers that end it."""
        batch = ids.new_id()
        for number, (subject, data, headers) in enumerate(parts, 1):
            place = {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": str(number)}
            await self._connection.publish(subject, data, headers=headers | place)
            if number % TURN == 0:
                await asyncio.sleep(0)
        return {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": str(len(parts) + 1), "Nats-Batch-Commit": "1"}

    async def _from_leader(self, which: dict[str, Any]) -> Record | None:
        try:
            reply = await self._connection.request(
                f"$JS.API.STREAM.MSG.GET.{subjects.GAMES}", msgspec.json.encode(which), timeout=PATIENCE
            )
        except nats.errors.Error as error:
            raise Unread from error
        found = msgspec.json.decode(reply.data)
        if failure := found.get("error"):
            if failure.get("err_code") == NO_MESSAGE:
                return None
            raise Unread(failure.get("description"))
        message = found["message"]
        return Record(
            sequence=message["seq"],
            subject=message["subject"],
            data=b64decode(message.get("data", "")),
            at=datetime.fromisoformat(message["time"]),
            after=predecessor(read_headers(b64decode(message.get("hdrs", "")))),
        )
