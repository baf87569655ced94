"""What players say to each other in a game: kept until its midnight, beside the log and never in it."""

from datetime import timedelta
from hashlib import sha256
from math import ceil

from libs.core import subjects
from libs.runtime.connection import Connection
from libs.runtime.direct import DirectReader, Record, Unread
from libs.runtime.storing import Down, purge, remove, store


class ChatStore:
    """All chats over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._direct = DirectReader(connection, subjects.CHAT)

    async def add(self, game_id: str, message_id: str, data: bytes, ttl: timedelta) -> bytes:
        """Keep a message for this long, rounded up to whole seconds; answers with what is kept.

        The same `message_id` of the same game is kept once: sent again within two minutes, it answers with the data
        that came first. Raises `Unknown`, `Down` or `Unread`.
        """
        headers = {
            "Nats-Msg-Id": sha256(f"{game_id} {message_id}".encode()).hexdigest()[:32],
            "Nats-TTL": str(max(1, ceil(ttl.total_seconds()))),
        }
        stored = await store(self._connection, subjects.chat(game_id), data, headers)
        if stored.error:
            raise Down(stored.error.description)
        if not stored.duplicate:
            return data
        kept = await self._direct.read(subjects.chat(game_id), stored.seq)
        if not kept or kept[0].sequence != stored.seq:
            raise Unread("another server has it, or it has just been forgotten")
        return kept[0].data

    async def read(self, game_id: str, start: int = 1) -> list[Record]:
        """What is kept of a game's chat, in order, from this number in the stream on.

        In a cluster perhaps without what came this moment. Raises `Unread`.
        """
        return await self._direct.read(subjects.chat(game_id), start)

    async def remove(self, sequence: int) -> None:
        """Forget one message, by its number in the stream, and overwrite it on the disk.

        Raises `Unknown` or `Down`; doing it again does no harm.
        """
        await remove(self._connection, subjects.CHAT, sequence)

    async def purge(self, game_id: str) -> None:
        """Forget a game's chat. Raises `Unknown` or `Down`; doing it again does no harm."""
        await purge(self._connection, subjects.CHAT, subjects.chat(game_id))
