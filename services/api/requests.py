"""Request keys of things that are no games: asked again with the same key, they are done once and answered the same."""

from datetime import datetime, timedelta

from libs.core.refusals import Reason, Refused
from services.api.database import Connection

KEPT = timedelta(days=2)

_TAKE = """
insert into requests (scope, key, digest, at) values (%s, %s, %s, %s) on conflict (scope, key) do nothing returning key
"""
_READ = "select digest, answer from requests where scope = %s and key = %s"
_ANSWER = "update requests set answer = %s where scope = %s and key = %s"
_FORGET = "delete from requests where at < %s"


async def answered(connection: Connection, scope: str, key: str, digest: bytes, now: datetime) -> bytes | None:
    """What this request was answered before; none if it is asked for the first time, and must be done now.

    Within a transaction: somebody who asks the same at the same time waits for it. Raises `Refused` (key_reused).
    """
    taken = await connection.execute(_TAKE, (scope, key, digest, now))
    if await taken.fetchone():
        return None
    found = await (await connection.execute(_READ, (scope, key))).fetchone()
    if found is None or bytes(found[0]) != digest:
        raise Refused(Reason.KEY_REUSED)
    return bytes(found[1])


async def recalled(connection: Connection, scope: str, key: str) -> bytes | None:
    """What was remembered under this key, whatever was asked; none if nothing was."""
    found = await (await connection.execute(_READ, (scope, key))).fetchone()
    return bytes(found[1]) if found else None


async def remember(connection: Connection, scope: str, key: str, answer: bytes) -> None:
    """Keep what a request was answered; nothing secret."""
    await connection.execute(_ANSWER, (answer, scope, key))


async def forget(connection: Connection, now: datetime) -> None:
    """Forget all keys that are older than two days."""
    await connection.execute(_FORGET, (now - KEPT,))
