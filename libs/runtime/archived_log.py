"""The log with its archive: what has left the stream is read, and stands in the way of others, as if it had not."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

import msgspec
import nats.errors

from libs.core import subjects
from libs.core.messages import GameId
from libs.runtime import archive_history
from libs.runtime.archive import Archive
from libs.runtime.archive_row import OnDamage, refuse
from libs.runtime.connection import Connection
from libs.runtime.direct import Record, Unread
from libs.runtime.log import PATIENCE, Conflict, Log, Rewound
from libs.runtime.storing import Down, purge


class ArchivedLog(Log):
    """The log over one connection and its archive. Reading raises `Damaged` too, for games the archive cannot give."""

    def __init__(self, connection: Connection, archive: Archive) -> None:
        super().__init__(connection)
        self.archive = archive

    async def load(self, game_id: str, kind: str = "*", after: int = 0) -> list[Record]:
        """All records of a game after this sequence, in order and up to this moment; none for an unknown game."""
        records = await self.in_stream(game_id, kind, after)
        if records and records[0].after in (None, after):
            return records
        # gone, never there, or half gone: a server that was killed while it forgot a game may remember its end
        archived = await self.archive.load(game_id, after)
        known = archived[-1].sequence if archived else after
        newer = [record for record in records if record.sequence > known]
        if newer and newer[0].after != known:
            raise Unread("the stream has lost the beginning of the game")
        return archived + newer

    async def in_stream(self, game: GameId, kind: str = "*", after: int = 0) -> list[Record]:
        """Those of these records that are in the stream. Raises `Unread`."""
        return await super().load(game, kind, after)

    async def claim(self, subject: str) -> bytes | None:
        """The record of a claim, by its `subjects.claim`; none if nobody has it. Never stale."""
        held = await super().claim(subject)
        return await self.archive.claim(subject) if held is None else held

    async def newest_in_stream(self, subject: str) -> Record | None:
        """The newest record of a game, or the one of a claim, if the stream has any. Raises `Unread`."""
        return await self._from_leader({"last_by_subj": subject})

    async def append(
        self, subject: str, data: bytes, after: int, message_id: str, claims: Sequence[tuple[str, bytes]] = ()
    ) -> int:
        """Store a record of a game as `Log.append` does; its claims must be free in the archive too."""
        if claims and await self._is_archived(subject, [claim for claim, _ in claims]):
            raise Conflict
        return await super().append(subject, data, after, message_id, claims)

    async def whole(
        self, start: int, end: int, batch: int = 500, damaged: OnDamage = refuse
    ) -> AsyncGenerator[list[Record], None]:
        """All records, claims included, from `start` to `end`, which was the newest at some time.

        Each comes once and in order, from the archive or the stream. `damaged` is told of games that the archive
        cannot give, and their records are left out. Raises `Unread` or `Rewound`.
        """
        if end > (newest := await self.last_sequence()):
            raise Rewound(f"the log ends at {newest}, and was to be read up to {end}")
        pieces = archive_history.whole(self.archive, self.follow(start, batch), start, end, batch, damaged)
        async with aclosing(pieces):
            async for records in pieces:
                yield records

    async def newest_archived(self) -> int:
        """The highest sequence in the archive; 0 if it is empty. Raises `Unread`."""
        return await self.archive.newest()

    async def forgets(self) -> bool:
        """Does the stream let anything be taken out of it? One that was made to keep all never will."""
        return not (await self._config()).get("deny_purge", False)

    async def forget(self, subject: str, last: int) -> None:
        """Take a game or a claim out of the stream, up to the sequence `last`: only what the archive is sure to have.

        Raises `Unknown` or `Down`; doing it again does no harm.
        """
        await purge(self._connection, subjects.GAMES, subject, last)

    async def _config(self) -> dict[str, Any]:
        try:
            reply = await self._connection.request(f"$JS.API.STREAM.INFO.{subjects.GAMES}", timeout=PATIENCE)
        except nats.errors.Error as error:
            raise Unread from error
        found: dict[str, Any] = msgspec.json.decode(reply.data).get("config", {})
        return found

    async def _is_archived(self, subject: str, claims: Sequence[str]) -> bool:
        try:
            return await self.archive.holds(subject.rpartition(".")[2], claims)
        except Unread as error:
            raise Down("the archive does not say what is claimed") from error
