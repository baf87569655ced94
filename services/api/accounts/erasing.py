"""What goes when an account is deleted: everything personal, in one transaction. Its id stays, with its games."""

from collections.abc import Sequence
from datetime import datetime

from libs.core.messages import PlayerId
from services.api.accounts import players
from services.api.database import Connection
from services.api.problems import Problem

_PATIENCE = "set local lock_timeout = '2s'"  # a worker that is just sending one of the mails holds on to it
SEATS = "select id from players where id = %(me)s or merged_into = %(me)s"
_ENDED = """
select id from sessions where player = any(%(seats)s) and ended_at is null
union all select id from api_tokens where player = any(%(seats)s) and ended_at is null
"""
_MAILS = """
select id from mails
where (recipient = %(email)s and recipient <> '') or names && %(seats)s or player = any(%(seats)s)
"""

ERASE: tuple[str, ...] = (
    f"delete from dramatiq.queue where message_id in ({_MAILS})",  # noqa: S608 - our own query
    f"delete from mails where id in ({_MAILS})",  # noqa: S608
    "delete from sign_ins where email = %(email)s or player = any(%(seats)s)",
    "delete from identities where player = any(%(seats)s)",
    "delete from blocks where player = any(%(seats)s) or blocked = any(%(seats)s)",
    "delete from notice_choices where player = any(%(seats)s)",
    "delete from pushes where names && %(seats)s",
    "delete from push_subscriptions where player = any(%(seats)s)",
    "delete from notices where player = any(%(seats)s)",
    "delete from mutes where player = any(%(seats)s)",
    "delete from requests where split_part(scope, ':', 2) = any(%(seats)s)",
    """update sessions set player = null, browser = null, system = null, ended_at = coalesce(ended_at, %(now)s)
    where player = any(%(seats)s)""",
    """update api_tokens set player = null, label = '', ended_at = coalesce(ended_at, %(now)s)
    where player = any(%(seats)s)""",
    """update players set name = null, skeleton = null, email = null, filter = true, gone_at = %(now)s
    where id = any(%(seats)s)""",
)
"""In this order. Whoever keeps more about players erases it here. Reports stay: they hold ids alone."""


async def seats_of(connection: Connection, account: PlayerId) -> list[PlayerId]:
    """The account and the guests that it has been."""
    return [id_ for (id_,) in await (await connection.execute(SEATS, {"me": account})).fetchall()]


async def erase(
    connection: Connection, account: PlayerId, name: str, now: datetime
) -> tuple[Sequence[PlayerId], list[str]]:
    """Erase an account that is called so; answers with its ids, and the sessions and tokens that have ended by it.

    Within a transaction. Raises `Problem` (not_confirmed) for another name.
    """
    await connection.execute(_PATIENCE)
    rows = await players.locked(connection, await seats_of(connection, account))
    own = rows.get(account)
    if own is None or own.name is None or own.name != name:
        raise Problem("not_confirmed")
    asked = {"me": account, "seats": list(rows), "email": own.email, "now": now}
    ended = [id_ for (id_,) in await (await connection.execute(_ENDED, asked)).fetchall()]
    for statement in ERASE:
        await connection.execute(statement.encode(), asked)
    return list(rows), ended
