"""The table of players: making guests and accounts, joining a guest to an account, names."""

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct
from psycopg import errors
from psycopg.rows import class_row

from libs.core.messages import PlayerId
from libs.core.names import guest_name, skeleton
from libs.runtime import ids
from services.api.database import Connection
from services.api.problems import Problem

TRIES = 5  # generated names, before one is made that nobody has

_LOCKED = """
select id, name, email, guest, merged_into, filter, gone_at from players where id = any(%s) order by id for update
"""
_MAKE = "insert into players (id, name, skeleton, guest, made_at) values (%s, %s, %s, true, %s)"
_PROMOTE = "update players set guest = false, email = %s, name = %s, skeleton = %s where id = %s and guest"
_TAKEN = "select exists (select 1 from players where skeleton = %s and not guest and id <> %s)"
_MERGE = (
    "update players set merged_into = %(account)s where id = %(guest)s and guest and merged_into is null",
    """insert into blocks select %(account)s, blocked, made_at from blocks
    where player = %(guest)s and blocked <> %(account)s on conflict do nothing""",
    """insert into blocks select player, %(account)s, made_at from blocks
    where blocked = %(guest)s and player <> %(account)s on conflict do nothing""",
    "delete from blocks where player = %(guest)s or blocked = %(guest)s",
)


class Row(Struct, kw_only=True):
    """A row of players."""

    id: PlayerId
    name: str | None
    email: str | None
    guest: bool
    merged_into: PlayerId | None
    filter: bool
    gone_at: datetime | None = None


async def find(connection: Connection, id_: PlayerId) -> Row | None:
    """The player with this id; locked until the transaction ends."""
    return (await locked(connection, [id_])).get(id_)


async def require_here(connection: Connection, id_: PlayerId) -> Row:
    """The player with this id, locked until the transaction ends: nobody deletes them meanwhile.

    Raises `Problem` (unauthorized) for who is gone. Whoever writes about players in the name of a session asks here
    first: the gate has let the request through before.
    """
    found = await find(connection, id_)
    if found is None or found.gone_at is not None:
        raise Problem("unauthorized")
    return found


async def locked(connection: Connection, ids_: Iterable[PlayerId]) -> dict[PlayerId, Row]:
    """Those of these players that there are, locked until the transaction ends: in one order, so that no two block."""
    async with connection.cursor(row_factory=class_row(Row)) as cursor:
        await cursor.execute(_LOCKED, (list(ids_),))
        return {row.id: row async for row in cursor}


async def make_guest(connection: Connection, now: datetime) -> Row:
    """A new guest with a generated name, which others may have too."""
    id_, name = ids.new_id(), guest_name(ids.seed())
    await connection.execute(_MAKE, (id_, name, skeleton(name), now))
    return Row(id=id_, name=name, email=None, guest=True, merged_into=None, filter=True)


async def promote(connection: Connection, guest: Row, email: str | None) -> str:
    """Make a guest an account with this address, if any; answers with its name, which is now nobody else's."""
    name = await free_name(connection, guest.id, guest.name or "")
    await connection.execute(_PROMOTE, (email, name, skeleton(name), guest.id))
    return name


async def free_name(connection: Connection, player: PlayerId, wished: str = "") -> str:
    """The wished name, if no account but this player's has it, or else a generated one."""
    names = [wished, *(guest_name(ids.seed()) for _ in range(TRIES))]
    free = [name for name in names if name and not await is_taken(connection, name, player)]
    return free[0] if free else f"Player {int.from_bytes(ids.seed()[:5], 'big'):013d}"


async def is_taken(connection: Connection, name: str, by_other_than: PlayerId) -> bool:
    """Has another account this name, or one that looks like it?"""
    found = await (await connection.execute(_TAKEN, (skeleton(name), by_other_than))).fetchone()
    return bool(found and found[0])


async def rename(connection: Connection, account: PlayerId, name: str) -> None:
    """Give an account another name. Raises `Problem` (name_taken)."""
    try:
        async with connection.transaction():
            await connection.execute(
                "update players set name = %s, skeleton = %s where id = %s", (name, skeleton(name), account)
            )
    except errors.UniqueViolation:
        raise Problem("name_taken") from None


async def merge(connection: Connection, guest: PlayerId, account: PlayerId) -> None:
    """Let a guest's games, and what they have blocked or by whom they are blocked, belong to an account."""
    both = {"account": account, "guest": guest}
    for statement in _MERGE:
        await connection.execute(statement, both)
